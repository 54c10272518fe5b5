from __future__ import annotations

import json
import sys
from typing import NamedTuple

import numpy as np
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from linkwl import LinkPredictor
from linkwl.cli import predict_output as command
from linkwl.datasets import load_airports
from linkwl.models.calibration import Calibration
from linkwl.predict.names import find_queries
from triple_graphs import named_relatives


class Outcome(NamedTuple):
    code: int
    stdout: str
    stderr: str


@pytest.fixture
def ask(linkwl):
    return lambda *arguments: Outcome(*linkwl(*arguments))


@pytest.fixture(scope="module")
def predictor():
    return LinkPredictor("ra").fit(load_airports())


@pytest.fixture
def model(predictor, tmp_path):
    predictor.save(tmp_path / "m")
    return str(tmp_path / "m")


def test_the_likeliest_links_go_to_standard_output(ask, model, predictor):
    result = ask("predict", model, "--top-k", "3")
    assert result.code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "source,target,score,probability,rank"
    assert [line.split(",")[:2] for line in lines[1:]] == [
        [link.source, link.target] for link in predictor.recommend(3)
    ]
    assert "share of links among such pairs is 4.88 %" in result.stderr


@pytest.mark.parametrize("name", ["links.csv", "links.parquet"])
def test_the_links_of_every_node_go_to_a_file(ask, model, predictor, tmp_path, name):
    result = ask("predict", model, "--per-node", "2", "--out", str(tmp_path / name))
    assert result.code == 0
    read = pq.read_table if name.endswith("parquet") else pyarrow.csv.read_csv
    assert read(tmp_path / name).to_pydict() == predictor.recommend_per_node(2).to_arrow().to_pydict()


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--per-node", "2", "--top-k", "3"], "give either --top-k K"),
        (["--top-k", "3", "--side", "left"], "--side chooses the nodes of --per-node"),
        (["--per-node", "2", "--side", "left"], "neither directions nor sides"),
        (["--per-node", "2", "--candidates", "hops:2", "--most", "9"], "give one of them"),
        (["--per-node", "0"], "at least 1, got 0"),
    ],
)
def test_what_cannot_be_asked_of_every_node(ask, model, options, says):
    result = ask("predict", model, *options)
    assert result.code == 2
    assert says in " ".join(result.stderr.split())


def test_a_screened_ranking_says_its_recall(ask, model, predictor, tmp_path):
    options = (
        "--top-k",
        "9",
        "--ranking",
        "screened",
        "--out",
        tmp_path / "links.csv",
        "--json",
        tmp_path / "how.json",
    )
    result = ask("predict", model, *map(str, options))
    assert result.code == 0
    said = " ".join(result.stderr.split())
    assert "ranking is screened: it was asked for." in said
    assert "recall 1.0000: of" in said
    how = json.loads((tmp_path / "how.json").read_text())
    assert how["ranking"]["method"] == "screened"
    assert how["ranking"]["recall"] == 1
    assert (how["model"], how["pairs"], how["graph"]["nodes"]) == ("ra", 9, predictor.graph_.num_nodes)
    assert pyarrow.csv.read_csv(tmp_path / "links.csv").to_pydict() == predictor.recommend(9).to_arrow().to_pydict()


def test_json_has_the_rows_and_replaces_csv_on_standard_output(ask, model, predictor):
    result = ask("predict", model, "--top-k", "3", "--json", "-")
    assert result.code == 0
    found = json.loads(result.stdout)
    assert found["predictions"] == predictor.recommend(3).to_arrow().to_pylist()
    assert list(found["predictions"][0]) == ["source", "target", "score", "probability", "rank"]
    assert (found["pairs"], found["model"], found["ranking"]["method"]) == (3, "ra", "exact")


def test_json_in_a_file_leaves_csv_on_standard_output(ask, model, tmp_path):
    result = ask("predict", model, "--top-k", "3", "--json", tmp_path / "top.json")
    rows = json.loads((tmp_path / "top.json").read_text())["predictions"]
    assert [line.split(",")[:2] for line in result.stdout.splitlines()[1:]] == [
        [row["source"], row["target"]] for row in rows
    ]


def test_json_of_given_pairs_and_of_every_node(ask, model, predictor, tmp_path):
    (tmp_path / "pairs.csv").write_text("source,target\nJNU,WRG\nORD,SFB\n")
    given = json.loads(ask("predict", model, "--pairs", tmp_path / "pairs.csv", "--json", "-").stdout)
    assert [(row["source"], row["target"]) for row in given["predictions"]] == [("JNU", "WRG"), ("ORD", "SFB")]
    assert "ranking" not in given
    every = json.loads(ask("predict", model, "--per-node", "1", "--json", "-").stdout)
    assert every["predictions"] == predictor.recommend_per_node(1).to_arrow().to_pylist()


def test_json_of_a_folder_of_scores(ask, model, tmp_path):
    options = ("--min-score", "3", "--out", tmp_path / "scores", "--json", "-")
    result = ask("predict", model, *options)
    found = json.loads(result.stdout)
    assert found["pairs"] == pq.read_table(tmp_path / "scores").num_rows > 0
    assert (found["scored"], found["files"], found["folder"]) == (58759, 1, str(tmp_path / "scores"))


def test_quiet_leaves_the_result(ask, model, tmp_path):
    result = ask("predict", model, "--top-k", "3", "--quiet")
    assert (result.code, result.stderr, len(result.stdout.splitlines())) == (0, "", 4)
    result = ask("predict", model, "--top-k", "3", "-q", "--out", tmp_path / "top.csv")
    assert (result.code, result.stderr, result.stdout) == (0, "", "")
    assert len((tmp_path / "top.csv").read_text().splitlines()) == 4
    result = ask("predict", model, "--top-k", "3", "--for", "nowhere", "--quiet")
    assert result.code == 2
    assert "unknown node 'nowhere'" in result.stderr
    assert ask("predict", model, "--top-k", "3").stderr  # the next command is not quiet


def test_an_exact_ranking_says_why(ask, model):
    result = ask("predict", model, "--top-k", "2")
    assert "ranking is exact: scoring all 58,759 candidates is fast." in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--top-k", "3", "--ranking", "fast"], "unknown ranking 'fast'"),
        (["--top-k", "3", "--ranking", "screened", "--candidates", "hops:2"], "a screened ranking is one of all pairs"),
        (["--per-node", "3", "--ranking", "exact"], "use it with --top-k"),
    ],
)
def test_what_cannot_be_asked_of_a_ranking(ask, model, options, says):
    result = ask("predict", model, *options)
    assert result.code == 2
    assert says in " ".join(result.stderr.split())


@pytest.mark.parametrize("name", ["links.csv", "links.parquet"])
def test_they_go_to_a_file(ask, model, predictor, tmp_path, name):
    result = ask("predict", model, "--top-k", "7", "--for", "JNU", "--out", str(tmp_path / name))
    assert result.code == 0
    read = pq.read_table if name.endswith("parquet") else pyarrow.csv.read_csv
    assert read(tmp_path / name).to_pydict() == predictor.recommend(7, for_node="JNU").to_arrow().to_pydict()
    assert result.stdout == ""
    assert "7 pairs written" in result.stderr
    assert "WRG" in result.stderr


@pytest.fixture
def dangerous_model(tmp_path):
    """Nodes named like formulas and like commands to a terminal."""
    names = ["=1+1", "+2", "-3", "@SUM(A1)", "\x1b[2J", "a\x9bb", "\u202ec", *"defgh"]
    edges = [(name, names[(k + step) % 12]) for k, name in enumerate(names) for step in (1, 2)]
    LinkPredictor("ra").fit(edges).save(tmp_path / "dangerous")
    return str(tmp_path / "dangerous")


def test_formulas_are_texts_for_spreadsheets(ask, dangerous_model, tmp_path):
    paths = [tmp_path / "plain.csv", tmp_path / "safe.csv"]
    assert ask("predict", dangerous_model, "--top-k", "42", "--out", paths[0]).code == 0
    assert ask("predict", dangerous_model, "--top-k", "42", "--out", paths[1], "--excel-safe").code == 0
    plain, safe = (pyarrow.csv.read_csv(path).to_pydict() for path in paths)
    for column in ("source", "target"):
        assert any(name.startswith(("=", "+", "-", "@")) for name in plain[column])
        assert not any(name.startswith(("=", "+", "-", "@")) for name in safe[column])
        assert [name.removeprefix("'") for name in safe[column]] == plain[column]
    assert safe["score"] == plain["score"]
    printed = ask("predict", dangerous_model, "--top-k", "42", "--excel-safe").stdout
    assert printed.encode() == paths[1].read_bytes()


def test_names_do_not_control_the_terminal(ask, dangerous_model, tmp_path, monkeypatch):
    result = ask("predict", dangerous_model, "--top-k", "42", "--out", tmp_path / "links.csv")
    assert "\x1b" in (tmp_path / "links.csv").read_text()  # files keep the names
    assert r"\x1b[2J" in result.stderr
    piped = ask("predict", dangerous_model, "--top-k", "42").stdout
    assert "\x1b" in piped
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    shown = ask("predict", dangerous_model, "--top-k", "42").stdout
    for text in (result.stderr, shown):
        assert not {"\x1b", "\x9b", "\u202e"} & set(text)
    assert shown.count("\n") == piped.count("\n")


def test_given_pairs_keep_their_order(ask, model, predictor, tmp_path):
    (tmp_path / "pairs.csv").write_text("source,target\nJNU,WRG\nORD,ATL\nJNU,SFB\n")
    result = ask("predict", model, "--pairs", str(tmp_path / "pairs.csv"), "--prior", "0.5")
    rows = [line.split(",") for line in result.stdout.splitlines()[1:]]
    assert [row[0] for row in rows] == ["JNU", "ORD", "JNU"]
    told = predictor.predict_proba([("JNU", "WRG"), ("ORD", "ATL"), ("JNU", "SFB")], prior=0.5)[:, 1]
    np.testing.assert_allclose([float(row[3]) for row in rows], told)
    assert "1 of the 3 pairs are already linked" in result.stderr


def test_another_graph(ask, model, tmp_path):
    (tmp_path / "edges.csv").write_text("\n".join(f"{k},{(k + 1) % 9}" for k in range(9)))
    result = ask("predict", model, "--graph", str(tmp_path / "edges.csv"), "--top-k", "100")
    assert len(result.stdout.splitlines()) == 1 + 9 * 8 / 2 - 9


def test_its_own_parquet_is_read_again(ask, model, tmp_path):
    first = ask("predict", model, "--top-k", "9", "--out", str(tmp_path / "top.parquet"))
    again = ask("predict", model, "--pairs", str(tmp_path / "top.parquet"), "--out", str(tmp_path / "again.parquet"))
    assert (first.code, again.code) == (0, 0)
    assert pq.read_table(tmp_path / "again.parquet").equals(pq.read_table(tmp_path / "top.parquet"))


def test_the_share_of_links_is_that_of_the_graph_asked_about(ask, model, tmp_path):
    (tmp_path / "ring.csv").write_text("\n".join(f"{k},{(k + 1) % 9}" for k in range(9)))
    assert "such pairs is 25 %" in ask("predict", model, "--graph", tmp_path / "ring.csv", "--top-k", "1").stderr


def test_a_node_and_itself_are_no_pair(ask, model, tmp_path):
    (tmp_path / "pairs.csv").write_text("source,target\nJNU,WRG\nJNU,JNU\n")
    result = ask("predict", model, "--pairs", str(tmp_path / "pairs.csv"))
    assert (result.code, result.stdout) == (2, "")
    assert "pairs.csv: a node has no link with itself; remove the pair of 'JNU' with itself." in result.stderr


def test_candidates(ask, model):
    result = ask("predict", model, "--top-k", "5", "--candidates", "hops:2")
    assert len(result.stdout.splitlines()) == 6
    assert "94% of the existing links would be among the candidates hops:2" in result.stderr


def test_it_says_so_when_the_way_is_long(ask, model, monkeypatch):
    monkeypatch.setattr(command, "_LONG_SECONDS", -1)
    result = ask("predict", model, "--top-k", "1")
    assert "scoring all 58,759 pairs will take about" in result.stderr
    assert "--candidates hops:3" in result.stderr
    assert "scoring all" not in ask("predict", model, "--top-k", "1", "--candidates", "hops:2").stderr


@pytest.mark.parametrize(("name", "start"), [("why.svg", b"<?xml"), ("why.png", b"\x89PNG")])
def test_an_explanation_is_drawn(ask, model, tmp_path, name, start):
    result = ask("explain", model, "--pair", "JNU", "WRG", "--picture", str(tmp_path / name))
    assert result.code == 0
    assert (tmp_path / name).read_bytes().startswith(start)
    refused = ask("explain", model, "--pair", "JNU", "WRG", "--picture", str(tmp_path / "nowhere" / name))
    assert refused.code == 2
    assert "there is no folder" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--picture", "why.jpg"], "pictures are PNG or SVG files; end the name in .png or .svg, not .jpg"),
        (["--picture", "why.svg", "--json", "why.svg"], "--json and --picture name the same file"),
        (["--features", "f.csv"], "name that graph with --graph"),
        (["--prior", "0"], "a share lies between 0 and 1"),
        (["--groups", "1"], "the number of groups must be 2 to 12, got 1"),
        (["--scores", "0"], "the number of scores must be 1 to 4096, got 0"),
    ],
)
def test_explanations_that_cannot_be(ask, model, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    result = ask("explain", model, "--pair", "JNU", "WRG", *arguments)
    assert result.code == 2
    assert says in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_a_letter_that_the_font_lacks_is_no_warning(ask, tmp_path, recwarn):
    (tmp_path / "edges.csv").write_text("\n".join(f"名{k},名{(k * k + 1) % 30}" for k in range(30)))
    LinkPredictor("cn").fit(tmp_path / "edges.csv").save(tmp_path / "m")
    result = ask("explain", str(tmp_path / "m"), "--pair", "名1", "名5", "--picture", str(tmp_path / "why.png"))
    assert result.code == 0
    assert "Glyph" not in result.stderr
    assert [str(found.message) for found in recwarn if "Glyph" in str(found.message)] == []


def test_scores_that_tell_nothing_are_told_of(ask, tmp_path):
    saved = LinkPredictor("cn").fit(load_airports())
    saved.calibration_ = Calibration(0.0, 0.0, 0.5)
    saved.save(tmp_path / "m")
    for question in (
        ["predict", str(tmp_path / "m"), "--top-k", "1"],
        ["explain", str(tmp_path / "m"), "--pair", "JNU", "WRG"],
    ):
        assert "no better than chance" in ask(*question).stderr


def test_why(ask, model, tmp_path):
    result = ask("explain", model, "--pair", "JNU", "WRG", "--json", str(tmp_path / "why.json"))
    assert result.code == 0
    assert "JNU and WRG: score 0.750" in result.stderr
    told = json.loads((tmp_path / "why.json").read_text())
    assert told["pair"] == ["JNU", "WRG"]
    parts = sum(part["contribution"] for part in told["groups"])
    assert told["score"] == pytest.approx(told["baseline"] + parts)
    assert 0 < told["probability"] < 1


def test_the_number_of_groups_can_be_chosen(ask, model, tmp_path):
    for groups in (3, 8):
        why = tmp_path / f"{groups}.json"
        options = ["--groups", str(groups), "--scores", "300", "--json", str(why)]
        assert ask("explain", model, "--pair", "ORD", "SFB", *options).code == 0
        assert len(json.loads(why.read_text())["groups"]) == groups


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "give either --top-k K"),
        (["--top-k", "3", "--pairs", "x.csv"], "give either --top-k K"),
        (["--pairs", "x.csv", "--for", "JNU"], "give either --top-k K"),
        (["--pairs", "x.csv", "--candidates", "hops:2"], "use them with --top-k"),
        (["--triples", "x.csv", "--most", "9"], "use them with --top-k"),
        (["--triples", "x.csv"], "--triples x.csv: airports is a graph of pairs; give them with --pairs"),
        (["--head", "JNU"], "airports is a graph of pairs, and only facts have a head"),
        (["--top-k", "3", "--relation", "r"], "airports is a graph of pairs, and only facts have a relation"),
        (["--relations-of", "JNU", "WRG"], "airports is a graph of pairs, and only facts have a relation"),
        (["--top-k", "3", "--most", "9"], "a limit is for candidates such as 'hops:3'"),
        (["--top-k", "0"], "the number of links must be an integer of at least 1"),
        (["--top-k", "3", "--for", "JNX"], "unknown node 'JNX'"),
        (["--top-k", "3", "--candidates", "hops:1"], "unknown candidates 'hops:1'"),
        (["--top-k", "3", "--prior", "1.5"], "a share lies between 0 and 1"),
        (["--top-k", "3", "--features", "f.csv"], "name that graph with --graph"),
        (["--top-k", "3", "--columns", "1,2,3"], "--columns is about another graph; name that graph with --graph"),
        (["--top-k", "3", "--types", "t.csv"], "--types is about another graph; name that graph with --graph"),
        (["--top-k", "3", "--out", "no/such/place.csv"], "there is no folder"),
        (["--pairs", "nowhere.csv"], "nowhere.csv"),
        (["--top-k", "3", "--out", "links.xlsx"], "rankings are written as CSV or Parquet, not .xlsx"),
        (["--top-k", "3", "--graph", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_questions_that_make_no_sense(ask, model, arguments, says):
    result = ask("predict", model, *arguments)
    assert result.code == 2
    assert says in result.stderr
    assert result.stdout == ""


@pytest.fixture(scope="module")
def facts():
    return LinkPredictor(settings={"training": {"max_steps": 20}}).fit(named_relatives())


@pytest.fixture
def fact_model(facts, tmp_path):
    facts.save(tmp_path / "facts")
    return str(tmp_path / "facts")


def rows_of(text):
    heading, *lines = text.splitlines()
    assert heading == "head,relation,tail,score,probability,rank"
    return [tuple(line.split(",")) for line in lines]


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        (["--top-k", "7"], lambda h, r, t: True),
        (["--head", "p3", "--relation", "child of"], lambda h, r, t: (h, r) == ("p3", "child of")),
        (["--tail", "p3", "--relation", "parent of"], lambda h, r, t: (r, t) == ("parent of", "p3")),
        (["--for", "p3"], lambda h, r, t: "p3" in (h, t)),
        (["--head", "p3", "--top-k", "4"], lambda h, r, t: h == "p3"),
        (["--relations-of", "p3", "p9"], lambda h, r, t: {h, t} == {"p3", "p9"}),
        (["--relation", "married to"], lambda h, r, t: r == "married to"),
        (["--top-k", "5", "--candidates", "hops:2"], lambda h, r, t: int(h[1:]) // 6 == int(t[1:]) // 6),
    ],
)
def test_questions_about_facts(ask, fact_model, facts, question, is_asked):
    result = ask("predict", fact_model, *question)
    assert result.code == 0, result.stderr
    rows = rows_of(result.stdout)
    expected = dict(zip(question[::2], question[1::2], strict=False)).get("--top-k", 10)
    if "--relations-of" in question:
        expected = 8
    assert len(rows) == int(expected)
    assert all(is_asked(*row[:3]) for row in rows)
    assert not facts.graph_.contains(find_queries(facts.graph_, [row[:3] for row in rows])).any()
    assert "share of facts among such triples is 2.08 %" in result.stderr


def test_the_best_answers_first(ask, fact_model, facts, tmp_path):
    """A parent who is not known to be the parent of one child is found among all people."""
    hidden = named_relatives()
    place = [hidden.ids.indices([name])[0] for name in ("p0", "p4")]
    relation = int(hidden.relations.indices(["parent of"])[0])
    rest = hidden.without(np.array([(place[0], relation, place[1])]))
    lines = [f"{rest.ids[int(h)]}\t{rest.relations[int(r)]}\t{rest.ids[int(t)]}\n" for h, r, t in rest.triples]
    (tmp_path / "rest.tsv").write_text("".join(lines))
    options = ["--head", "p0", "--relation", "parent of", "--top-k", "1"]
    result = ask("predict", fact_model, "--graph", tmp_path / "rest.tsv", *options)
    assert [row[:3] for row in rows_of(result.stdout)] == [("p0", "parent of", "p4")]


def test_given_triples_keep_their_order(ask, fact_model, facts, tmp_path):
    (tmp_path / "t.tsv").write_text("p0\tparent of\tp2\np2\tchild of\tp9\n")
    result = ask("predict", fact_model, "--triples", tmp_path / "t.tsv", "--out", tmp_path / "out.parquet")
    assert result.code == 0
    assert "1 of the 2 triples are already known; the facts influence their scores" in result.stderr
    assert "2 triples written" in result.stderr
    told = pq.read_table(tmp_path / "out.parquet").to_pydict()
    assert (told["head"], told["tail"]) == (["p0", "p2"], ["p2", "p9"])
    np.testing.assert_array_equal(
        told["score"], facts.decision_function([("p0", "parent of", "p2"), ("p2", "child of", "p9")])
    )


def test_another_graph_of_facts_by_the_names_of_its_columns(ask, fact_model, tmp_path):
    lines = ["verb,object,subject", *(f"{'asks' if k % 3 else 'child of'},q{(k * 7) % 20},q{k}" for k in range(20))]
    (tmp_path / "o.csv").write_text("\n".join(lines))
    columns = ["--columns", "subject,verb,object"]
    result = ask("predict", fact_model, "--graph", tmp_path / "o.csv", *columns, "--head", "q3", "--relation", "asks")
    assert result.code == 0, result.stderr
    assert {row[:2] for row in rows_of(result.stdout)} == {("q3", "asks")}
    assert "training has never seen 1 of the relations, such as 'asks'" in result.stderr


def test_candidates_of_facts(ask, fact_model, monkeypatch):
    result = ask("predict", fact_model, "--top-k", "5", "--candidates", "hops:2", "--most", "100")
    assert "candidates hops:2 of random nodes are ranked until there are 100 of them" in result.stderr
    assert "100% of the existing facts would be among the candidates hops:2" in result.stderr
    result = ask("predict", fact_model, "--top-k", "5", "--candidates", "roles")
    assert "% of the existing facts would be among the candidates roles" in result.stderr
    monkeypatch.setattr(command, "_LONG_SECONDS", -1)
    result = ask("predict", fact_model, "--top-k", "1")
    assert "scoring all 14,400 triples will take about 1 minute; --candidates roles" in result.stderr
    assert "--most N" in ask("predict", fact_model, "--top-k", "1", "--candidates", "hops:2").stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--pairs", "x.csv"], "--pairs x.csv: relatives is a graph of triples; give them with --triples"),
        (["--triples", "nowhere.tsv"], "nowhere.tsv"),
        (["--top-k", "0"], "the number of facts must be an integer of at least 1"),
        (["--head", "p3", "--relation", "child"], "unknown relation 'child'; did you mean 'child of'"),
        (["--head", "p99"], "unknown node 'p99'"),
        (["--head", "p1", "--relation", "child of", "--tail", "p2"], "nothing is left to find"),
        (["--head", "p1", "--for", "p2"], "exclude each other"),
        (["--relations-of", "p1", "p2", "--relation", "child of"], "exclude each other"),
        (["--head", "p1", "--candidates", "hops:2"], "give a node or candidates, not both"),
        (["--top-k", "3", "--graph", "airports"], "walk-2fwl scores triples, and airports is a graph of pairs"),
    ],
)
def test_questions_about_facts_that_make_no_sense(ask, fact_model, arguments, says):
    result = ask("predict", fact_model, *arguments)
    assert result.code == 2
    assert says in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("p0\tparent of\tp2\np0\tparent of\tp99\n", "t.tsv, line 2: unknown node 'p99'"),
        ("p0\tparent of\tp2\np0\tparrot of\tp3\n", "t.tsv, line 2: unknown relation 'parrot of'; did you mean"),
        ("p0\tparent of\tp2\np0\tparent of\n", "t.tsv, line 2: "),
        ("", "t.tsv: the file is empty"),
    ],
)
def test_triples_that_cannot_be_read(ask, fact_model, tmp_path, text, says):
    (tmp_path / "t.tsv").write_text(text)
    result = ask("predict", fact_model, "--triples", tmp_path / "t.tsv")
    assert (result.code, result.stdout) == (2, "")
    assert says in result.stderr


def test_a_folder_without_a_model(ask, tmp_path):
    for arguments in (["predict", str(tmp_path), "--top-k", "3"], ["explain", str(tmp_path), "--pair", "a", "b"]):
        result = ask(*arguments)
        assert result.code == 2
        assert "there is no model in this folder" in result.stderr


def test_numbers_of_pairs_on_the_command_line(ask, tmp_path):
    generator = np.random.default_rng(0)
    edges = sorted(
        {tuple(sorted(pair)) for pair in generator.integers(60, size=(150, 2)).tolist() if len(set(pair)) > 1}
    )
    (tmp_path / "edges.csv").write_text("".join(f"n{p},n{q}\n" for p, q in edges))
    (tmp_path / "trade.csv").write_text(
        "source,target,trade\n" + "".join(f"n{p},n{q},{p + q}\n" for p, q in edges[::2])
    )
    (tmp_path / "more.csv").write_text("source,target,trade\nn1,n2,500\n")
    (tmp_path / "pairs.csv").write_text("n1,n2\nn3,n4\n")
    folder, question = tmp_path / "m", ("predict", tmp_path / "m", "--pairs", tmp_path / "pairs.csv")
    files = (tmp_path / "edges.csv", "--pair-features", tmp_path / "trade.csv")
    assert ask("train", *files, "--model", "logistic", "--no-report", "--out", folder).code == 0
    known, replaced = ask(*question), ask(*question, "--pair-features", tmp_path / "more.csv")
    assert (known.code, replaced.code) == (0, 0)
    assert known.stdout != replaced.stdout
    (tmp_path / "other.csv").write_text("a,b\nb,c\nc,d\n")
    (tmp_path / "pairs.csv").write_text("a,c\n")
    missing = ask(*question, "--graph", tmp_path / "other.csv")
    assert missing.code == 2
    assert "trained with attributes of nodes or pairs" in missing.stderr.replace("\n", " ")


def test_second_values_of_facts(ask, fact_model, tmp_path):
    result = ask("predict", fact_model, "--top-k", "5", "--json", "-")
    told = json.loads(result.stdout)
    assert told["functional"]["one_tail"] == ["married to"]
    assert told["functional"]["left_out"] > 0
    assert not any(row["second_value"] for row in told["predictions"])
    assert "triples that would be second values were left out: in the data each head has one tail" in result.stderr
    assert "--second-values keep ranks them" in result.stderr
    kept = ask("predict", fact_model, "--top-k", "5", "--head", "p0", "--relation", "married to")
    assert "5 triples would be second values, and wrong if the data are right" in kept.stderr
    folder = tmp_path / "written"
    written = ask("predict", fact_model, "--min-score", "-1000", "--out", str(folder), "--json", "-")
    assert json.loads(written.stdout)["left_out"] > 0
    assert "--second-values keep writes them" in written.stderr
    wrong = ask("predict", fact_model, "--top-k", "5", "--second-values", "some")
    assert wrong.code == 2
    assert "unknown choice of second values 'some'" in wrong.stderr
