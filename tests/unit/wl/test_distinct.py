from __future__ import annotations

import numpy as np
import pytest

from linkwl.wl.distinct import count_distinct, number_classes

AROUND_THRESHOLDS = [
    2047,
    2048,
    2049,
    3000,
    4095,
    4096,
    4097,
    1,
    2,
    255,
    4096,
    8191,
    8192,
    8193,
    12_287,
    12_288,
    (1 << 19) - 1,
    1 << 19,
]


def random_words(size, num_different, seed=0):
    """Words spread over all 64 bits, each about ``size / num_different`` times; 0 among them."""
    rng = np.random.default_rng(seed)
    different = rng.integers(0, 2**64, num_different, dtype=np.uint64)
    different[0] = 0
    return different[rng.integers(0, num_different, size)]


def by_numpy(*arrays):
    """Classes in the order in which they first appear, by sorting."""
    flat = np.concatenate([np.asarray(array).reshape(-1) for array in arrays])
    _, first, inverse = np.unique(flat, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse].tolist()


def numbered(*arrays, **options):
    """All numbers in one row."""
    numbers = number_classes([array.copy() for array in arrays], **options)
    assert [own.shape for own in numbers] == [array.shape for array in arrays]
    assert all(own.dtype == np.int64 for own in numbers)
    return np.concatenate([own.reshape(-1) for own in numbers]).tolist()


@pytest.mark.parametrize("size", AROUND_THRESHOLDS)
@pytest.mark.parametrize("share", [0.001, 0.5, 4])
def test_as_many_as_sorting_finds(size, share):
    words = random_words(size, int(size * share) + 1, seed=size)
    before = words.copy()
    assert count_distinct([words]) == len(np.unique(words))
    np.testing.assert_array_equal(words, before)


@pytest.mark.parametrize("size", [1, 100, 8192, 8193, 60_000])
@pytest.mark.parametrize("value", [0, 1, 2**64 - 1, 2**63])
def test_all_words_equal(size, value):
    assert count_distinct([np.full(size, value, dtype=np.uint64)]) == 1


@pytest.mark.parametrize("size", [10, 8192, 9000, 60_000])
def test_words_that_do_not_look_random(size):
    """They all fall into one bucket, or onto one place of a table."""
    small = np.arange(size, dtype=np.uint64)
    assert count_distinct([small]) == size
    assert count_distinct([small[:2000] << np.uint64(40)]) == min(size, 2000)


@pytest.mark.parametrize("sizes", [(0,), (0, 0), (5, 0, 5), (4096, 4096), (4096, 4097), (30_000, 1, 0, 20_000)])
def test_words_of_several_arrays_are_counted_together(sizes):
    arrays = [random_words(size, 1000, seed=1) for size in sizes]
    assert count_distinct(arrays) == len(np.unique(np.concatenate(arrays)))


def test_no_arrays():
    assert count_distinct([]) == 0
    assert number_classes([]) == []


@pytest.mark.parametrize("size", [60, 200])
def test_arrays_of_other_shapes_and_layouts_are_counted(size):
    words = random_words((size, size), 999)
    words[0, :2] = 0
    for array in (words, words.T, words[::2], words[:, ::3], words[::-1], np.asfortranarray(words)):
        assert count_distinct([array]) == len(np.unique(array))
        assert numbered(array) == by_numpy(array)


@pytest.mark.parametrize("size", [100, 20_000, 1 << 19])
def test_counting_in_room_that_is_there(size):
    words, room = random_words(size, size // 3), np.full(size + 50, 77, dtype=np.uint64)
    before = words.copy()
    assert count_distinct([words], room) == len(np.unique(words))
    np.testing.assert_array_equal(words, before)
    assert (room[size:] == 77).all()


@pytest.mark.parametrize("size", [8193, 1 << 19, (1 << 19) + 5])
def test_nothing_depends_on_the_number_of_threads(monkeypatch, size):
    words = random_words(size, size // 2)
    expected, numbers = len(np.unique(words)), by_numpy(words)
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        assert count_distinct([words, words[:100]]) == expected
        assert numbered(words) == numbers


def test_the_largest_number_of_buckets():
    words = np.random.default_rng(0).integers(0, 2**64, 4096 * 1050, dtype=np.uint64)
    words[-1000:] = words[:1000]
    assert count_distinct([words]) == len(words) - 1000


@pytest.mark.parametrize("size", [0, 1, 2, 170, 171, 172, 255, 256, 257, 1000, 8193, 50_000])
@pytest.mark.parametrize("share", [0.001, 0.5, 4])
@pytest.mark.parametrize("expected", [0, 1, 300, 10**6])
def test_classes_are_numbered_as_they_appear(size, share, expected):
    words = random_words(size, int(size * share) + 1, seed=size)
    assert numbered(words, num_classes=expected) == by_numpy(words)


def test_negative_numbers_and_numbers_of_several_arrays():
    values = np.random.default_rng(0).integers(-50, 50, 3000)
    assert numbered(values) == by_numpy(values)
    parts = [values[:100], values[100:100], values[100:500].reshape(20, 20), values[500:]]
    assert numbered(*parts) == by_numpy(values)
    extreme = np.array([-(2**63), 2**63 - 1, 0, -1, -(2**63)])
    assert numbered(extreme) == [0, 1, 2, 3, 0]


@pytest.mark.parametrize("count", [1, 2, 300])
def test_equal_values_of_any_size_have_one_number(count):
    for value in (0, 1, 2**64 - 1):
        assert numbered(np.full(count, value, dtype=np.uint64)) == [0] * count


def test_arrays_stay_as_they_are():
    first, second = random_words(10, 3), random_words(20, 3)
    before = first.copy(), second.copy()
    number_classes([first])
    number_classes([first, second], overwrite=True)
    np.testing.assert_array_equal(first, before[0])
    np.testing.assert_array_equal(second, before[1])


def test_a_single_array_may_be_overwritten_to_save_memory():
    words = random_words((30, 40), 300)
    expected = by_numpy(words)
    [numbers] = number_classes([words], overwrite=True)
    assert numbers.shape == (30, 40)
    assert numbers.reshape(-1).tolist() == expected
    assert np.shares_memory(numbers, words)
