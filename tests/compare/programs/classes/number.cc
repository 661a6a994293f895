// SPDX-License-Identifier: Apache-2.0
// Members, virtual functions with thunks, and equal names in an unnamed namespace.
#include "number.hpp"

namespace math
{

namespace
{

__attribute__((noinline)) long
helper(long x)
{
	return x % 1000003;
}

class Other
{
public:
	virtual ~Other() {}
	virtual Number perimeter() const { return Number(4); }
};

class Square : public Shape, public Other
{
public:
	explicit Square(long side) : side(side) {}
	Number area() const override { return Number(helper(side * side)); }
	Number perimeter() const override { return Number(side * 4); }

private:
	long side;
};

class Circle : public Shape
{
public:
	Number area() const override;
};

Number
Circle::area() const
{
	static int calls;
	if (++calls % 3 == 0)
		throw failure("no area");
	return Number(calls);
}

} // namespace

Shape::~Shape() {}

Number
Number::operator+(const Number &other) const // @line
{
	return Number(helper(value + other.value));
}

Number
Number::operator-() const
{
	return Number(-value);
}

Number &
Number::operator*=(long factor)
{
	value = helper(value * factor);
	return *this;
}

long
Number::operator()(int power) const
{
	return power == 0 ? 1 : helper((*this)(power - 1) * value);
}

long
Number::operator[](int digit) const
{
	long rest = value;
	while (digit-- > 0)
		rest /= 10;
	return rest % 10;
}

Shape *
make_shape(int kind)
{
	if (kind % 2)
		return new Square(kind);
	return new Circle;
}

} // namespace math
