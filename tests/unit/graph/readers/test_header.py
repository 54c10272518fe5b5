from __future__ import annotations

import pytest

from linkwl.graph.readers.header import has_clear_header, is_header, may_be_header

# A first row | other rows
HEADERS = [
    "gene_a,gene_b|TP53,MDM2;BRCA1,BARD1",
    "buyer,seller|ann,bob;bob,cid",
    "origin,destination|London,Paris;Paris,Rome",
    "user_id,item_id|u1,i1;u2,i1",
    "userId,movieId|ann,Jaws;bob,Alien",
    "protein1,protein2|P53,MDM2;MDM2,MDM4",
    "from_node,to_node|a,b;b,c",
    "follower,followee|ann,bob;cid,dan",
    "citing,cited|p1,p2;p3,p4",
    "author,paper|Smith,On trees;Jones,On graphs",
    "sender,receiver|ann,bob;bob,cid",
    "parent,child|ann,bob;bob,cid",
    "customer,product|c1,p1;c2,p2",
    "drug,disease|aspirin,pain;insulin,diabetes",
    "source_id,target_id|a1,a2;a3,a4",
    "Person A,Person B|Ann Lee,Bob Ray;Cid Fox,Dan Poe",
    "u,v|ann,bob;bob,cid",
    "node_1,node_2|x,y;y,z",
    "company,director|Acme,Ann;Bolt,Bob",
    "airport_from,airport_to|JFK,LAX;LAX,SFO",
    "ligand,receptor|TGFB1,TGFBR1;EGF,EGFR",
    "word,synonym|big,large;small,tiny",
    "student,course|ann,maths;bob,physics",
    "caller,callee|main,init;init,load",
    "predator,prey|fox,hare;lynx,hare",
    "Interactor A,Interactor B|P04637,Q00987;P38398,Q99728",
    "x,y|ann,bob;bob,cid",
    "employee,manager|ann,bob;cid,bob",
    "committer,file|ann,a.py;bob,b.py",
    "country,organisation|France,NATO;Spain,EU",
    "package,depends_on|bash,libc6;zsh,libc6",
    "player,team|Messi,PSG;Kane,Bayern",
    "tf,gene|SOX2,NANOG;OCT4,NANOG",
    "first,second|ann,bob;bob,cid",
    "subreddit,author|aww,ann;pics,bob",
    "city1,city2|Bonn,Rome;Rome,Oslo",
    "actor_name,film_title|Hanks,Big;Ryan,Sleepless",
]
EDGES = [
    "ann,bob|bob,cid;cid,dan",
    "ann,bob|cid,dan;eve,fay",
    "Ann Lee,Bob Ray|Cid Fox,Dan Poe;Eve Kay,Fay Orr",
    "TP53,MDM2|BRCA1,BARD1;EGFR,KRAS",
    "EGFR,KRAS|TP53,BRCA1;MDM2,CDK4;SOX2,OCT4",
    "London,Paris|Rome,Oslo;Bonn,Nice",
    "JFK,LAX|ORD,SFO;DFW,MIA",
    "libc6,bash|zlib1g,dpkg;perl,tar",
    "bash,libc|zsh,libc6;dpkg,zlib1g;tar,acl2",
    "ann@x.org,bob@x.org|cid@x.org,dan@x.org",
    "a,b|c,d;e,f",
    "a,b|b,c;c,d",
    "alpha,beta|gamma,delta;epsilon,zeta",
    "dog,cat|fox,hare;lynx,mouse",
    "king,queen|man,woman;boy,girl",
    "user1,user7|user2,user9;user3,user4",
    "P04637,Q00987|P38398,Q99728",
    "Acme Ltd,Bolt Inc|Cog plc,Dyn AG",
    "main,init|init,load;load,parse",
    "red,blue|green,yellow",
    "source,bob|bob,target",
    "from,to|to,from2;from,x",
    "author,book|reader,page;paper,article;teacher,student",
    "gene,protein|enzyme,substrate;drug,disease;city,country",
    "Smith,Jones|Brown,Taylor",
    "10.0.0.1,10.0.0.2|10.0.0.3,10.0.0.4",
    "n1,n2|n2,n3;n3,n4",
    "u1,i1|u2,i1;u3,i2",
    "France,Spain|Italy,Malta",
    "hsa-mir-1,GJA1|hsa-mir-2,TP53",
    "numpy,scipy|pandas,numpy2;torch,sympy",
    "x1,x2|x3,x4;x5,x6",
]


def rows_of(text: str) -> list[tuple[str, ...]]:
    first, _, rest = text.partition("|")
    return [tuple(row.split(",")) for row in (first, *rest.split(";"))]


@pytest.mark.parametrize("text", HEADERS)
def test_headers(text):
    rows = rows_of(text)
    assert is_header((), rows)
    assert has_clear_header((), rows) or not is_header((), [*rows, (rows[0][1], "x9")])  # a name that recurs is a node
    assert not is_header((), [("1", "2"), *rows])


@pytest.mark.parametrize("text", EDGES)
def test_edges(text):
    assert not is_header((), rows_of(text))


@pytest.mark.parametrize(
    "text", ["id,name|1,2;2,3", "source,target|a,b", "u,v|ann,bob", "who,x|1,a;2,b", "s,p,o|a,r,b"]
)
def test_clear_headers(text):
    assert has_clear_header((), rows_of(text))


def test_requested_names_are_a_header():
    rows = rows_of("ann,bob|cid,dan")
    assert has_clear_header({"bob"}, rows)
    assert not has_clear_header({"eve"}, rows)


def test_a_row_that_may_be_a_header():
    rows = [("ann", "bob"), *((f"a{k}", f"b{k}") for k in range(9))]
    assert may_be_header(rows, (0, 1))
    assert not may_be_header(rows[:8], (0, 1))
    assert not may_be_header([("1", "2"), *rows[1:]], (0, 1))
