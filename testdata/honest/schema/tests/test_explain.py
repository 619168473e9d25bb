from unittest.mock import Mock

import pytest

from schema import And, Or, Schema, explain


def test_valid_data_needs_no_explanation():
    assert explain(Schema({"name": str}), {"name": "Ada"}) is None


def test_the_explanation_names_the_key():
    words = explain(Schema({"age": And(int, lambda age: age > 0)}), {"age": "old"})
    assert "age" in words and "int" in words


@pytest.mark.parametrize("data", [1, 2.5], ids=["a whole number", "a broken one"])
def test_alternatives_are_tried(data):
    assert explain(Schema(Or(int, float)), data) is None


def test_a_validator_is_called_once():
    check = Mock(spec=lambda data: True, return_value=True)
    assert explain(Schema(check), "data") is None
    check.assert_called_once_with("data")


def test_other_errors_pass_through():
    schema = Mock(spec=Schema)
    schema.validate.side_effect = RuntimeError("broken")
    with pytest.raises(RuntimeError):
        explain(schema, {})
