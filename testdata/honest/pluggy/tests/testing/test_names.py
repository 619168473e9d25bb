import pytest

from pluggy import HookimplMarker, HookspecMarker, PluginManager
from pluggy._names import implementers


hookspec = HookspecMarker("example")
hookimpl = HookimplMarker("example")


class Api:
    @hookspec
    def hello(self, arg):
        "api hook 1"


class Plugin:
    @hookimpl
    def hello(self, arg):
        return arg + 1


@pytest.fixture
def manager() -> PluginManager:
    manager = PluginManager("example")
    manager.add_hookspecs(Api)
    return manager


def test_nobody_implements_a_hook(manager: PluginManager) -> None:
    assert implementers(manager, "hello") == []


def test_names_in_the_order_of_registration(manager: PluginManager) -> None:
    manager.register(Plugin(), name="one")
    manager.register(Plugin(), name="two")
    assert implementers(manager, "hello") == ["one", "two"]


def test_a_hook_that_does_not_exist(manager: PluginManager) -> None:
    with pytest.raises(LookupError, match="goodbye"):
        implementers(manager, "goodbye")
