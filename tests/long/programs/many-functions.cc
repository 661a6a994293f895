// SPDX-License-Identifier: Apache-2.0
// Thousands of functions with long names: those of the C++ library's templates.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace inventory {

struct Item {
	std::string name, category;
	double price;
	int stock;
};

template <typename Key, typename Value> class Index {
	std::map<Key, std::vector<std::shared_ptr<Value>>> entries;

public:
	void insert(const Key &key, std::shared_ptr<Value> value)
	{
		entries[key].push_back(std::move(value));
	}

	template <typename Function> void each(Function function) const
	{
		for (const auto &entry : entries)
			for (const auto &value : entry.second)
				function(entry.first, *value);
	}

	std::size_t size() const
	{
		return entries.size();
	}
};

std::vector<std::string> parse(const std::string &text)
{
	static const std::regex word("([a-z]+)-([0-9]+)(\\.[0-9]*)?");
	std::vector<std::string> found;

	for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at)
		found.push_back((*at)[1].str() + ":" + (*at)[2].str());
	return found;
}

class Report {
	std::ostringstream out;

public:
	virtual ~Report() = default;
	virtual void line(const Item &item)
	{
		out << item.name << '\t' << item.category << '\t' << item.price * item.stock << '\n';
	}
	std::size_t length() const
	{
		return out.str().size();
	}
};

class SortedReport : public Report {
	std::multimap<double, Item, std::greater<>> sorted;

public:
	void line(const Item &item) override
	{
		sorted.emplace(item.price * item.stock, item);
	}
	void finish()
	{
		for (const auto &entry : sorted)
			Report::line(entry.second);
	}
};

} // namespace inventory

using namespace inventory;

static std::vector<Item> make_items(std::mt19937 &random, int count)
{
	std::uniform_int_distribution<int> letter('a', 'z'), number(1, 999);
	std::vector<Item> items;

	for (int i = 0; i < count; i++) {
		std::string name(6, ' ');
		std::generate(name.begin(), name.end(), [&] { return static_cast<char>(letter(random)); });
		items.push_back({name + "-" + std::to_string(number(random)), name.substr(0, 1),
		                 number(random) / 7.0, number(random)});
	}
	return items;
}

int main(int argc, char **argv)
{
	std::mt19937 random(7);
	std::size_t sum = 0;

	for (int round = argc > 1 ? std::atoi(argv[1]) : 10; round > 0; round--) {
		auto items = make_items(random, 200);
		Index<std::string, Item> byName, byCategory;
		std::unordered_map<std::string, std::set<int>> seen;
		std::ostringstream all;

		for (const auto &item : items) {
			byName.insert(item.name, std::make_shared<Item>(item));
			byCategory.insert(item.category, std::make_shared<Item>(item));
			seen[item.category].insert(item.stock);
			all << item.name << ' ';
		}
		for (const auto &word : parse(all.str()))
			sum += word.size();
		std::stable_sort(items.begin(), items.end(), [](const Item &a, const Item &b) {
			return std::tie(a.category, a.price) < std::tie(b.category, b.price);
		});
		SortedReport report;
		byCategory.each([&](const std::string &, const Item &item) { report.line(item); });
		report.finish();
		sum += report.length() + byName.size() + seen.size();
		std::function<double(double, const Item &)> add = [](double so_far, const Item &item) {
			return so_far + item.price * item.stock;
		};
		sum += static_cast<std::size_t>(std::accumulate(items.begin(), items.end(), 0.0, add));
	}
	std::cout << sum << '\n';
	return 0;
}
