import unittest

from cachetools import LRUCache
from cachetools.inspection import coldest, fill_level


class InspectionTest(unittest.TestCase):
    def setUp(self):
        self.cache = LRUCache(maxsize=4)
        self.cache["a"] = 1
        self.cache["b"] = 2

    def test_fill_level(self):
        self.assertEqual(fill_level(self.cache), 0.5)
        self.assertEqual(fill_level(LRUCache(maxsize=3)), 0.0)

    def test_fill_level_of_a_cache_without_room(self):
        self.assertEqual(fill_level(LRUCache(maxsize=0)), 1.0)

    def test_coldest(self):
        self.assertEqual(coldest(self.cache), "a")
        self.cache["a"]
        self.assertEqual(coldest(self.cache), "b")

    def test_coldest_leaves_the_cache_alone(self):
        coldest(self.cache)
        self.assertEqual(sorted(self.cache), ["a", "b"])

    def test_coldest_of_nothing(self):
        with self.assertRaises(KeyError):
            coldest(LRUCache(maxsize=1))

    def test_fill_levels(self):
        for entries, level in [(1, 0.25), (3, 0.75), (4, 1.0)]:
            with self.subTest(entries=entries):
                cache = LRUCache(maxsize=4)
                cache.update((number, number) for number in range(entries))
                self.assertEqual(fill_level(cache), level)
