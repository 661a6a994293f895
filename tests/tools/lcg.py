# SPDX-License-Identifier: Apache-2.0
"""A small random generator of our own, so that seeded inputs stay the same in every Python."""


class Random:
    def __init__(self, seed):
        self.state = (seed * 2654435761 + 12345) & 0xffffffffffffffff
        for _ in range(4):              # neighboring seeds start alike
            self.below(2)

    def below(self, limit):
        """A number from 0 to limit - 1."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & 0xffffffffffffffff
        return (self.state >> 31) % limit

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def pick(self, items):
        return items[self.below(len(items))]

    def chance(self, percent):
        return self.below(100) < percent

    def sample(self, items, count):
        """`count` different items, in random order."""
        pool = list(items)
        return [pool.pop(self.below(len(pool))) for _ in range(min(count, len(pool)))]
