from __future__ import annotations


def test_inspect_counts_what_was_merged_and_dropped(linkwl, linkwl_json, tmp_path):
    file = tmp_path / "messy.csv"
    file.write_text("source,target,weight\na,b,1\nb,a,2\na,b,3\nc,c,1\nb,d,1\n")
    result = linkwl_json("inspect", file)
    assert (result["nodes"], result["edges"], result["isolated_nodes"]) == (4, 2, 1)
    assert result["intake"] == {
        "form": "comma-separated text",
        "rows": 5,
        "self_loops": 1,
        "duplicates": 1,
        "reversed_duplicates": 1,
        "notes": ["edges from columns `source` and `target`", "ignored column `weight` (to use: --weight weight)"],
    }
    _, _, err = linkwl("inspect", file)
    assert "1 repeated rows, 1 edges listed both ways" in err
    assert "ignored column `weight` (to use: --weight weight)" in err


def test_inspect_keeps_directions_when_asked(linkwl_json, tmp_path):
    file = tmp_path / "edges.txt"
    file.write_text("0 1\n1 0\n1 2\n")
    assert linkwl_json("inspect", file)["edges"] == 2
    directed = linkwl_json("inspect", file, "--directed")
    assert (directed["edges"], directed["is_directed"]) == (3, True)


def test_inspect_reads_features(linkwl_json, tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\nb,c\n")
    (tmp_path / "nodes.csv").write_text("node,age,height\nc,1,2\na,3,4\nb,5,6\n")
    result = linkwl_json("inspect", tmp_path / "edges.csv", "--features", tmp_path / "nodes.csv")
    assert result["features"] == "2 per node"


def test_inspect_says_what_each_column_was_taken_for(linkwl, linkwl_json, tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\nb,c\nc,d\nd,e\n")
    (tmp_path / "nodes.csv").write_text(
        "node,age,town,page,lat,lon\na,1,x,p1,1,2\nb,,y,p2,1,3\nc,3,x,p3,2,2\nd,4,y,p4,,\nz,9,x,p5,5,5\n"
    )
    (tmp_path / "pairs.csv").write_text("source,target,trade\na,c,2\n")
    files = ("--features", tmp_path / "nodes.csv", "--pair-features", tmp_path / "pairs.csv")
    exit_code, _, err = linkwl("inspect", tmp_path / "edges.csv", *files)
    assert exit_code == 2
    assert "1 rows are left over" in err
    result = linkwl_json("inspect", tmp_path / "edges.csv", *files, "--missing-features", "fill")
    assert result["intake"]["notes"][1:] == [
        "`age`: numbers, 1 missing",
        "`town`: 2 categories",
        "`page`: ignored, a label (5 different texts)",
        "`lat`: place on the map, 1 missing",
        "`lon`: place on the map, 1 missing",
        "1 node without a row",
        "1 row of other nodes ignored",
    ]
    assert result["attributes"] == "numbers age; categories town (2); places on a map of 3 nodes; trade of 1 pairs"
    plane = linkwl_json(
        "inspect", tmp_path / "edges.csv", *files, "--missing-features", "fill", "--coordinates", "plane:lat,lon"
    )
    assert "places in a plane of 3 nodes" in plane["attributes"]


def test_options_of_features_need_features(linkwl, tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\nb,c\n")
    for option in (("--coordinates", "none"), ("--missing-features", "fill")):
        exit_code, _, err = linkwl("inspect", tmp_path / "edges.csv", *option)
        assert exit_code == 2
        assert "give them with --features" in err


def test_inspect_shows_triples(linkwl, linkwl_json, tmp_path):
    file = tmp_path / "facts.tsv"
    file.write_text("paris\tcapital of\tfrance\nrome\tcapital of\titaly\nfrance\tborders\titaly\n" * 2)
    (tmp_path / "types.csv").write_text("entity,type\nparis,city\nrome,city\n")
    result = linkwl_json("inspect", file, "--types", tmp_path / "types.csv")
    assert (result["entities"], result["relations"], result["triples"]) == (4, 2, 3)
    assert result["largest_relations"] == {"capital of": 2, "borders": 1}
    assert (result["largest_types"], result["intake"]["duplicates"]) == ({"city": 2}, 3)
    _, _, err = linkwl("inspect", file)
    assert "capital of 2, borders 1" in err
    assert "3 repeated rows" in err
    assert "--relation none" in " ".join(err.split())


def test_inspect_takes_the_columns_of_triples(linkwl_json, tmp_path):
    file = tmp_path / "deals.csv"
    file.write_text("buyer,when,deal,seller\nx,2020,buys,y\ny,2021,sells,z\n")
    named = linkwl_json("inspect", file, "--head", "buyer", "--relation", "deal", "--tail", "seller")
    placed = linkwl_json("inspect", file, "--head", "1", "--relation", "3", "--tail", "4")
    assert named == placed
    assert named["triples"] == 2
    edges = linkwl_json("inspect", file, "--head", "buyer", "--relation", "none", "--tail", "seller")
    assert edges["edges"] == 2


def test_long_names_are_not_cut(linkwl, tmp_path):
    name = "/award/" + "nomination/" * 12 + "winner"
    (tmp_path / "facts.csv").write_text(f"head,relation,tail\na,{name},b\n")
    _, _, err = linkwl("inspect", tmp_path / "facts.csv")
    assert name in "".join(line.strip() for line in err.splitlines())


def test_quiet_prints_the_essentials(linkwl, tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\nb,c\n")
    code, out, err = linkwl("inspect", tmp_path / "edges.csv", "--quiet")
    assert (code, out) == (0, "")
    assert err.splitlines() == ["graph: edges", "nodes: 3 (names from a to c)", "edges: 2 undirected"]
    _, out, err = linkwl("inspect", tmp_path / "edges.csv", "--quiet", "--json", "-")
    assert '"edges": 2' in out
    assert err == ""
