from __future__ import annotations

import numpy as np
import pytest

from linkwl.wl.mixing import COLLISION, join, mix, mix_words, round_keys

GOLDEN = 0x9E3779B97F4A7C15
SPLITMIX64 = [  # the generator's published first numbers for seed 1234567
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def words(*values):
    return np.array(values, dtype=np.uint64)


def random_words(shape, seed=0):
    return np.random.default_rng(seed).integers(0, 2**64, shape, dtype=np.uint64)


def test_mixing_is_the_finaliser_of_splitmix64():
    states = words(*((1234567 + i * GOLDEN) % 2**64 for i in range(1, 6)))
    assert mix_words(states, np.uint64(0)).tolist() == SPLITMIX64
    assert [int(mix(state)) for state in states] == SPLITMIX64


def test_mixing_is_a_permutation():
    """Undone step by step: shifts by repeating them, products by the inverse modulo 2^64."""
    some = np.concatenate([random_words(1000), np.arange(1000, dtype=np.uint64)])
    back = mix_words(some, np.uint64(0)).tolist()
    first, second = (pow(factor, -1, 2**64) for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB))
    back = [word ^ (word >> 31) ^ (word >> 62) for word in back]
    back = [word * second % 2**64 for word in back]
    back = [word ^ (word >> 27) ^ (word >> 54) for word in back]
    back = [word * first % 2**64 for word in back]
    assert [word ^ (word >> 30) ^ (word >> 60) for word in back] == some.tolist()


def test_a_changed_bit_changes_about_half_of_the_bits():
    some = random_words(2000)
    for bit in (0, 31, 63):
        changed = mix_words(some, np.uint64(0)) ^ mix_words(some ^ np.uint64(1 << bit), np.uint64(0))
        assert 0.48 < np.bitwise_count(changed).mean() / 64 < 0.52


@pytest.mark.parametrize("key", [np.uint64(0), np.uint64(2**64 - 1)])
def test_a_key_is_laid_over_the_words(key):
    some = random_words(50)
    np.testing.assert_array_equal(mix_words(some, key), mix_words(some ^ key, np.uint64(0)))


def test_words_keep_their_shape_and_stay_as_they_are():
    some = random_words((5, 7))
    before = some.copy()
    mixed = mix_words(some, np.uint64(3))
    assert mixed.shape == (5, 7)
    np.testing.assert_array_equal(some, before)
    np.testing.assert_array_equal(mix_words(some.T, np.uint64(3)), mixed.T)
    np.testing.assert_array_equal(mix_words(some[::2], np.uint64(3)), mixed[::2])
    assert mix_words(some[:0], np.uint64(3)).shape == (0, 7)


def test_words_are_mixed_into_an_array_that_is_there():
    some, out = random_words((5, 7)), np.zeros((5, 7), dtype=np.uint64)
    assert mix_words(some, np.uint64(3), out=out) is out
    np.testing.assert_array_equal(out, mix_words(some, np.uint64(3)))


def test_mixing_does_not_depend_on_the_number_of_threads(monkeypatch):
    some = random_words((1 << 19) + 7)
    results = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        results.append(mix_words(some, np.uint64(1)))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


def test_keys_belong_to_a_round():
    keys = np.stack([round_keys(number) for number in range(50)])
    np.testing.assert_array_equal(round_keys(7), keys[7])
    assert keys.dtype == np.uint64
    assert keys.shape == (50, 9)
    assert len(np.unique(keys)) == keys.size


def test_rows_are_joined_to_equal_words_iff_they_are_equal():
    a, b = (grid.reshape(-1) for grid in np.meshgrid(np.arange(300), np.arange(300)))
    joined = join(a, b)
    assert len(np.unique(joined)) == 300**2
    np.testing.assert_array_equal(join(a[::-1], b[::-1])[::-1], joined)
    assert len(np.unique(np.concatenate([joined, join(a), join(a, b, b)]))) == 2 * 300**2 + 300


def test_the_order_of_columns_counts():
    a, b = np.array([1, 2, 5]), np.array([2, 1, 5])
    assert (join(a, b) == join(b, a)).tolist() == [False, False, True]
    assert join(a, b)[0] == join(b, a)[1]


def test_numbers_are_joined_with_words_of_numbers():
    """A word is itself joined from numbers; no row may be mistaken for the one with number and word interchanged."""
    a, b = (grid.reshape(-1) for grid in np.meshgrid(np.arange(60), np.arange(60)))
    for columns in ((a, join(b)), (join(a), b), (join(a), join(b)), (a, join(b), join(b)), (join(a, b), join(b, a))):
        assert len(np.unique(join(*columns))) == 60**2


@pytest.mark.parametrize("kind", [np.bool_, np.int8, np.int32, np.int64, np.uint64])
def test_numbers_of_all_kinds_are_joined_by_their_value(kind):
    assert join(np.array([0, 1, 1]).astype(kind)).tolist() == join(np.array([0, 1, 1])).tolist()


def test_joining_nothing():
    assert join(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)).shape == (0,)


def test_different_things_rarely_share_a_word():
    assert COLLISION == 2**-64
    assert len(np.unique(mix_words(np.arange(10**5, dtype=np.uint64), np.uint64(5)))) == 10**5
