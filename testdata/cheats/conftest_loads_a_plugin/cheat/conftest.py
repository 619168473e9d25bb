pytest_plugins = ["textkit.green"]
