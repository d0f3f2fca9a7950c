"""What users write, for mypy alone: it is checked and never run."""

import hathi
from hathi.answers import Analysis

position = hathi.Position("g [...]")
count: int = position.count_turns(distinct=False)
goal: "str | None" = position.goal()
first: str = position.captures()[0]["trap"]
board = memoryview(position.squares())
game = hathi.Game.parse("1g")
for read in hathi.read_archive(["a.txt", "b.zip"]):
    winner: "str | None" = read.result["winner"] if read.result else None
with hathi.Store("games.db", create=True) as store, hathi.Engine("hathi:threads=2", store="games.db") as engine:
    hits: int = store.search("hostage(m by E)", min_rating=2000, who="humans", from_="2010")["hits"]
    names = store.positions_table(source=["arimaa", "file"]).column_names
    best: str = engine.analyse(position, nodes=1000, lines=2)["lines"][0]["turn"]
    found: Analysis = engine.analyse(game, depth=4)
    engine.play(game, time=0.5)
weights: "list[float]" = list(hathi.Model("turns").weights[0])
