"""`echovessel init`: make the home, with a settings file to read."""

from echovessel.runtime.commands.options import AsJson
from echovessel.runtime.output import show


def init(as_json: AsJson = False) -> None:
    """Make the home folder with its token and a settings file that explains itself. What is there already stays."""
    import os

    from echovessel.adapters.config import commented_settings
    from echovessel.adapters.home import find_home, open_home, write_private
    from echovessel.adapters.system import SystemClock, SystemIds

    home = find_home(os.environ)
    open_home(home, SystemIds(SystemClock()))
    fresh = not home.config.exists()
    if fresh:
        write_private(home.config, commented_settings())
    show(
        {"home": str(home.path), "config": str(home.config), "made_config": fresh},
        [
            f"Home      {home.path}",
            f"Settings  {home.config} ({'new: every setting with its default' if fresh else 'kept as it is'})",
            "Start it with `echovessel run`.",
        ],
        as_json=as_json,
    )
