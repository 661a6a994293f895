// SPDX-License-Identifier: Apache-2.0
#ifndef SHAPES_H
#define SHAPES_H

#include <stdexcept>

// Inline in every object file that needs it; the linker keeps one.
inline int square(int side)
{
	int area = 0;

	for (int i = 0; i < side; i++)
		area += side;
	return area;
}

template <class T> T
largest(T left, T right)
{
	if (left < right)
		return right;
	return left;
}

struct Shape {
	explicit Shape(int size) : size(size) {}
	virtual ~Shape() {}
	virtual int area() const = 0;
	int size;
};

struct Square : Shape {
	explicit Square(int size) : Shape(size)
	{
		if (size > 90)
			throw std::out_of_range("large");
	}
	int area() const override { return square(size); }
};

template <class T> struct Box {
	T value{};
	void put(T v) { value = largest(value, v); }
	static T of(int n)
	{
		if (n < 0)
			throw std::invalid_argument("negative");
		return T(n);
	}
};

#endif
