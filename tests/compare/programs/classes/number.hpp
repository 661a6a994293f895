// SPDX-License-Identifier: Apache-2.0
// A class with operators, and an abstract one; used by both files of this program.
#pragma once
#include <stdexcept>

namespace math
{

class Number
{
public:
	explicit Number(long value = 0) : value(value) {}
	Number operator+(const Number &other) const;
	Number operator-() const;
	Number &operator*=(long factor);
	bool operator<(const Number &other) const { return value < other.value; }
	long operator()(int power) const;
	explicit operator bool() const { return value != 0; }
	long operator[](int digit) const;

private:
	long value;
};

class Shape
{
public:
	virtual ~Shape();
	virtual Number area() const = 0;
};

Shape *make_shape(int kind);

class failure : public std::runtime_error
{
public:
	using std::runtime_error::runtime_error;
};

} // namespace math
