"""Numbers of texts compared by value: what counts as a number, and what is missing."""

import numpy as np

from tests.support.by_value import missing, numbers, visible


def test_numbers_of_five_digits_count_once_and_in_order():
    text = '{"a": 2.28506230, "b": [-1.0e-3, 12345, 0.123456e-2], "c": 2.28506230, "d": 3.14, "n": 1000000}'
    np.testing.assert_array_equal(numbers(text), [0.00123456, 2.2850623, 12345.0])


def test_units_signs_and_hashes():
    text = "stroke 1800.25mm, \u221212.3456 deg, digest 12345ab9, r_12345.6, 3.00000e-17"
    np.testing.assert_array_equal(numbers(text), [-12.3456, 1800.25])


def test_only_the_visible_part_of_a_page():
    page = "<html><script>x = 1.23456</script><svg d='M 9.87654'><path/></svg><td>4.56789</td></html>"
    np.testing.assert_array_equal(numbers(visible(page)), [4.56789])


def test_a_number_is_found_within_the_tolerance_only():
    old, new = np.array([1.0, 2.0, -3.0, 1e-6]), np.array([-3.0 - 2e-9, 1.0 + 5e-10, 1e-6 + 5e-13, 7.0])
    np.testing.assert_array_equal(missing(old, new, 1e-9), [2.0])
    np.testing.assert_array_equal(missing(old, np.array([]), 1e-9), old)
    assert missing(np.array([]), new, 1e-9).size == 0
