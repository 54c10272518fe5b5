from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest

from linkwl.datasets import CATALOGUE, load_dataset, load_world, place_table, type_table

NO_CAPITAL = {
    *("Gibraltar", "Hong Kong", "Macao", "Monaco", "Singapore", "Vatican City"),  # city and country at once
    *(
        "Caribbean Netherlands",
        "Equatorial Guinea",
        "Nauru",
        "Palestine",
        "Tokelau",
        "Western Sahara",
    ),  # none, disputed
}
LANDS = {"country", "territory"}
TYPES = {
    "borders": (LANDS, LANDS),
    "capital": (LANDS, {"city"}),
    "classified as": (LANDS, {"class"}),
    "currency": (LANDS, {"currency"}),
    "located in": (LANDS, {"region"}),
    "member of": ({"country"}, {"organisation"}),
    "observes": (LANDS, {"festival"}),
    "official language": (LANDS, {"language"}),
    "part of": ({"region"}, {"region"}),
    "spoken in": ({"language"}, LANDS),
    "time zone": (LANDS, {"time zone"}),
    "written in": ({"language"}, {"script"}),
}


@pytest.fixture(scope="module")
def facts() -> list[tuple[str, str, str]]:
    graph = load_world()
    return [(graph.ids[h], graph.relations[r], graph.ids[t]) for h, r, t in graph.triples.tolist()]


@pytest.fixture(scope="module")
def tails(facts):
    def find(head: str, relation: str) -> set[str]:
        return {t for h, r, t in facts if (h, r) == (head, relation)}

    return find


def members(facts, organisation: str) -> set[str]:
    return {h for h, r, t in facts if (r, t) == ("member of", organisation)}


def test_graph_is_the_one_in_the_catalogue():
    graph, dataset = load_world(), CATALOGUE["world"]
    assert graph.name == "world" and dataset.task == graph.task == "triples"
    assert (graph.num_nodes, graph.num_facts, graph.num_relations) == (979, 4035, 12)
    assert (dataset.num_nodes, dataset.num_edges, dataset.num_relations) == (979, 4035, 12)
    assert graph.intake.duplicates == 0
    assert (graph.triples[:, 0] != graph.triples[:, 2]).all()
    assert load_dataset("world").digest == graph.digest


def test_the_file_is_small_and_in_order():
    text = (files("linkwl.datasets") / "embedded" / "world.tsv").read_text(encoding="utf-8")
    header, *lines = text.splitlines()
    assert header == "head\trelation\ttail"
    assert len(text.encode()) < 200_000
    rows = [tuple(line.split("\t")) for line in lines]
    assert rows == sorted(set(rows))
    assert all(name == name.strip() != "" for row in rows for name in row)


def test_facts_that_anyone_can_check(tails):
    assert tails("France", "capital") == {"Paris"}
    assert tails("Australia", "capital") == {"Canberra"}
    assert tails("Portugal", "borders") == {"Spain"}
    assert tails("Germany", "borders") == {
        *("Austria", "Belgium", "Czechia", "Denmark", "France", "Luxembourg", "Netherlands", "Poland", "Switzerland")
    }
    assert tails("Iceland", "borders") == tails("Japan", "borders") == set()
    assert tails("Switzerland", "official language") == {"French", "German", "Italian", "Romansh"}
    assert tails("Brazil", "official language") == {"Portuguese"}
    assert tails("Croatia", "currency") == tails("Bulgaria", "currency") == {"Euro"}
    assert tails("Japan", "currency") == {"Japanese Yen"}
    assert tails("France", "located in") == {"Western Europe"}
    assert tails("Western Europe", "part of") == {"Europe"}
    assert tails("Nepal", "time zone") == {"UTC+05:45"}
    assert tails("Ireland", "time zone") == tails("Portugal", "time zone") - {"UTC-01:00"} == {"UTC+00:00"}
    assert tails("Russian", "written in") == {"Cyrillic script"}
    assert {"France", "Spain"} <= tails("Basque", "spoken in")
    assert tails("Nepal", "classified as") >= {"Landlocked developing country", "Least developed country"}
    assert tails("Turkey", "observes") == {"Eid al-Adha", "Eid al-Fitr"}
    assert {"Orthodox Christmas"} <= tails("Serbia", "observes") and "Easter Monday" not in tails("Serbia", "observes")


def test_organisations_have_their_number_of_members(facts):
    assert members(facts, "G7") == {
        *("Canada", "France", "Germany", "Italy", "Japan", "United Kingdom", "United States"),
    }
    count = Counter(t for _, r, t in facts if r == "member of")
    assert count == {
        **{"EU": 27, "OECD": 38, "G7": 7, "G20": 19, "OPEC": 12, "BRICS": 10, "G77": 134},
        **{"Arab League": 22, "Alliance of Small Island States": 39},
    }
    assert not members(facts, "EU") & {"United Kingdom", "Norway", "Switzerland", "Turkey"}


def test_a_language_is_official_or_spoken_in_a_country_but_not_both(facts):
    official = {(t, h) for h, r, t in facts if r == "official language"}
    assert not official & {(h, t) for h, r, t in facts if r == "spoken in"}


def test_borders_are_symmetric_and_no_other_relation_is_turned_round(facts):
    known = set(facts)
    pairs = {}
    for h, r, t in facts:
        pairs.setdefault(r, set()).add((h, t))
        assert ((t, r, h) in known) == (r == "borders")
    for first, ends in pairs.items():
        turned = {(t, h) for h, t in ends}
        assert all(len(turned & pairs[second]) < 0.2 * len(ends) for second in pairs if second != first)


def test_every_country_has_a_capital_a_currency_a_time_zone_and_a_region(tails):
    nations = [name for name, kind in type_table().items() if kind in ("country", "territory")]
    assert len(nations) == 243
    assert {name for name in nations if not tails(name, "capital")} == NO_CAPITAL
    assert all(len(tails(name, "capital")) <= 1 for name in nations)
    assert all(tails(name, "currency") and tails(name, "time zone") for name in nations)
    assert all(len(tails(name, "located in")) == 1 for name in nations)
    speechless = {name for name in nations if not tails(name, "official language")}
    assert speechless == {"Burkina Faso", "Mali", "Niger"}


def test_a_capital_belongs_to_one_country(facts):
    capitals = [t for _, r, t in facts if r == "capital"]
    assert len(capitals) == len(set(capitals))


def test_every_node_has_one_type_and_relations_join_the_right_ones(facts):
    kinds = type_table()
    assert sorted(kinds) == list(load_world().ids)
    assert {r for _, r, _ in facts} == set(TYPES)
    for h, r, t in facts:
        assert kinds[h] in TYPES[r][0] and kinds[t] in TYPES[r][1], (h, r, t)
    assert kinds["Singapore"] == "country" and kinds["Luxembourg City"] == "city" and kinds["Micronesia"] == "region"


def test_types_are_listed_once():
    text = (files("linkwl.datasets") / "embedded" / "world_types.tsv").read_text(encoding="utf-8")
    assert len(text.splitlines()) == len(type_table()) + 1


def test_every_country_has_its_place(tails):
    places, kinds = place_table(), type_table()
    assert set(places) == {name for name, kind in kinds.items() if kind in ("country", "territory")}
    for name, place in places.items():
        assert place.name == name
        assert {place.capital} - {""} == tails(name, "capital")
        assert -90 <= place.latitude <= 90 and -180 <= place.longitude <= 180
    assert abs(places["France"].latitude - 48.9) < 0.1 and abs(places["France"].longitude - 2.3) < 0.1
    assert places["Australia"].latitude < -30 and places["United States"].longitude < -70


def test_regions_lead_to_five_continents(facts):
    above = {h: t for h, r, t in facts if r == "part of"}
    tops = set()
    for region in (name for name, kind in type_table().items() if kind == "region"):
        while region in above:
            region = above[region]
        tops.add(region)
    assert tops == {"Africa", "Americas", "Asia", "Europe", "Oceania"}


def test_a_language_has_one_script_at_most(facts):
    count = Counter(h for h, r, _ in facts if r == "written in")
    languages = {name for name, kind in type_table().items() if kind == "language"}
    assert set(count.values()) == {1} and languages - set(count) == {"Comorian", "Montenegrin"}


def test_credit_travels_with_the_data():
    folder = files("linkwl.datasets") / "embedded"
    readme = (folder / "README.md").read_text(encoding="utf-8")
    for package, notice in (
        ("countryinfo", "Copyright (c) 2018 Porimol Chandro"),
        ("bblocks-places", "Copyright (c) 2025 ONE Campaign"),
        ("holidays", "Copyright (c) Vacanza Team"),
        ("unicode-cldr", "UNICODE LICENSE V3"),
    ):
        licence = f"LICENSE-{package}.txt"
        assert notice in (folder / licence).read_text(encoding="utf-8") and licence in readme
    assert all(f"`{package}`" in readme for package in ("babel", "countrygroups", "tzdata"))
