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
        "notes": ["edges from columns `source` and `target`", "ignored column `weight`"],
    }
    _, _, err = linkwl("inspect", file)
    assert "1 repeated rows, 1 edges listed both ways" in err
    assert "ignored column `weight`" in err


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
