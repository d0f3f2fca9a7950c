"""The memory of Arimaa: rules, games, the position database and the engines.

>>> import hathi
>>> position = hathi.Position("g [rrrrrrrrhdcemcdh................................HDCMECDHRRRRRRRR]")
>>> position.count_turns()
3353

`docs/python.md` of Hathi is a tutorial.
"""

from ._hathi import (
    ArchiveGames,
    Engine,
    EngineError,
    Game,
    IllegalMove,
    Model,
    Network,
    ParseError,
    Position,
    Store,
    StoreError,
    Table,
    TableStream,
    __version__,
    engines,
    read_archive,
)

__all__ = [
    "ArchiveGames",
    "Engine",
    "EngineError",
    "Game",
    "IllegalMove",
    "Model",
    "Network",
    "ParseError",
    "Position",
    "Store",
    "StoreError",
    "Table",
    "TableStream",
    "__version__",
    "engines",
    "read_archive",
]
