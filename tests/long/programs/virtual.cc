// SPDX-License-Identifier: Apache-2.0
// Virtual functions, with two bases, so that compilers make thunks.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

struct Shape {
	virtual ~Shape() {}
	virtual double area() const = 0;
};

struct Named {
	virtual ~Named() {}
	virtual unsigned name() const { return 1; }
};

struct Square : Shape, Named {
	double side;
	explicit Square(double s) : side(s) {}
	double area() const override { return side * side; }
	unsigned name() const override
	{
		unsigned x = 5;
		for (unsigned i = 0; i < 100; ++i)
			x = x * 7 + i;
		return x;
	}
};

struct Circle : Shape {
	double radius;
	explicit Circle(double r) : radius(r) {}
	double area() const override
	{
		double sum = 0;
		for (int i = 0; i < 200; ++i)
			sum += radius / (i + 1);
		return sum;
	}
};

static double total(const std::vector<std::unique_ptr<Shape>> &shapes)
{
	double sum = 0;

	for (const auto &shape : shapes)
		sum += shape->area();
	return sum;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
	std::vector<std::unique_ptr<Shape>> shapes;
	double sum = 0;

	for (int i = 0; i < 50; ++i) {
		shapes.emplace_back(new Circle(i));
		shapes.emplace_back(new Square(i));
	}
	for (int round = 0; round < rounds * 4; ++round) {
		sum += total(shapes);
		for (const auto &shape : shapes)
			if (const Named *named = dynamic_cast<const Named *>(shape.get()))
				sum += named->name() % 10;
	}
	std::printf("%f\n", sum);
	return 0;
}
