from tinydb import where
from tinydb.operations import multiply


def test_multiply(db):
    db.update(multiply("int", 3), where("char") == "a")
    assert db.get(where("char") == "a")["int"] == 3
    assert db.get(where("char") == "b")["int"] == 1


def test_multiply_by_itself(db):
    db.update(multiply("int", 2))
    db.update(multiply("int", 2))
    assert [document["int"] for document in db] == [4, 4, 4]


def test_storage_is_written_once(db, mocker):
    write = mocker.spy(db.storage, "write")
    db.update(multiply("int", 5), where("char") == "c")
    assert write.call_count == 1
