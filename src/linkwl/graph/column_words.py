"""What the names of columns say: which hold the ends of edges, weights or times, a direction, two kinds of things."""

from __future__ import annotations

import re
from collections.abc import Sequence

# fmt: off
SOURCE_NAMES = ("source", "src", "from", "head", "start", "u", "i", "node1", "id1", "nodea", "sourceid", "srcid",
                "fromid", "fromnode", "fromnodeid")
TARGET_NAMES = ("target", "dst", "dest", "destination", "to", "tail", "end", "v", "j", "node2", "id2", "nodeb",
                "targetid", "dstid", "toid", "tonode", "tonodeid")
NODE_NAMES = ("node", "nodeid", "entity", "entityid", "id", "name")
WEIGHT_NAMES = ("weight", "weights", "w", "value", "count", "score", "rating", "stars", "amount", "strength",
                "similarity", "correlation", "combinedscore", "num", "n", "freq", "frequency", "quantity", "qty")
TIME_NAMES = ("time", "timestamp", "date", "datetime", "day", "year", "when", "since", "ts", "created", "createdat",
              "epoch", "t")

TYPE_NAMES = ("type", "edgetype", "linktype", "relation", "relationship", "predicate", "kind", "interaction",
              "category", "label", "action")

_DIRECTED = (
    ("source", "target"), ("src", "dst"), ("from", "to"), ("sender", "receiver"), ("sender", "recipient"),
    ("follower", "followee"), ("follower", "followed"), ("follower", "following"), ("citing", "cited"),
    ("origin", "destination"), ("origin", "dest"), ("orig", "dest"), ("parent", "child"), ("caller", "callee"),
    ("buyer", "seller"), ("seller", "buyer"), ("predator", "prey"), ("prey", "predator"), ("package", "depends"),
    ("package", "dependency"), ("importer", "imported"), ("exporter", "importer"), ("lender", "borrower"),
    ("voter", "candidate"), ("truster", "trustee"), ("rater", "ratee"), ("payer", "payee"), ("giver", "taker"),
    ("pre", "post"), ("regulator", "target"), ("tf", "gene"), ("tf", "target"), ("child", "parent"),
    ("employee", "manager"), ("referrer", "page"), ("cause", "effect"), ("donor", "acceptor"),
)
_PEOPLE = {"user", "customer", "client", "reader", "viewer", "listener", "person", "member", "author", "actor",
           "student", "reviewer", "buyer", "visitor", "patient", "woman", "developer", "committer", "consumer"}
_THINGS = {"item", "movie", "film", "book", "product", "song", "track", "artist", "album", "paper", "article",
           "course", "event", "group", "business", "restaurant", "game", "anime", "isbn", "asin", "title", "file",
           "page", "repo", "repository", "venue", "hotel", "sku", "show", "disease", "drug", "club", "recipe"}
_OTHER_ENDS = {
    "a", "b", "x", "y", "u", "v", "node", "id", "name", "vertex", "entity", "gene", "protein", "symbol", "interactor",
    "company", "firm", "country", "city", "airport", "station", "state", "region", "place", "word", "term", "tag",
    "host", "server", "domain", "url", "ip", "site", "document", "doc", "species", "plant", "pollinator", "animal",
    "ligand", "receptor", "enzyme", "substrate", "metabolite", "compound", "chemical", "pathway", "neuron", "atom",
    "account", "wallet", "address", "email", "teacher", "employee", "manager", "friend", "neighbor", "neighbour",
    "player", "team", "party", "organisation", "organization", "bank", "supplier", "partner", "coauthor", "left",
    "right", "first", "second", "subject", "object", "mol", "module", "class", "function", "committee",
    "director", "synonym", "antonym", "hypernym", "hyponym", "ingredient", "symptom", "mirna", "tweet", "thread",
    "character", "contact", "subreddit", "channel", "topic", "keyword", "skill", "job", "who", "whom", "orig",
}
# fmt: on
_ENDS = {*SOURCE_NAMES, *TARGET_NAMES, *_OTHER_ENDS, *_PEOPLE, *_THINGS, *(word for pair in _DIRECTED for word in pair)}
# protein1 and protein2, user_a and user_b
_PAIR_OF_NAMES = re.compile(r"(?P<stem>.*)(?:1\|(?P=stem)2|a\|(?P=stem)b)")
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def column_key(name: str) -> str:
    """A column's name for comparison: lower case, letters and digits only."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def words_of(name: str) -> list[str]:
    """The words in a column's name, in lower case and without a plural s: ``userIDs`` has user and id."""
    words = [word.lower() for word in _WORD.findall(name.replace("IDs", "Ids"))]
    return [word[:-1] if word.endswith("s") and word[:-1] in _ENDS else word for word in words]


def is_pair_of_names(first: str, second: str) -> bool:
    """Whether two names differ in a last 1 and 2, or a and b only."""
    keys = f"{column_key(first)}|{column_key(second)}"
    return keys[:1].isalpha() and _PAIR_OF_NAMES.fullmatch(keys) is not None


def is_end_name(name: str) -> bool:
    """Whether a name has a word for the end of an edge: ``buyer``, ``user_id``, ``Gene A``."""
    words = words_of(name)
    is_plain = len(name) <= 40 and re.fullmatch(r"[A-Za-z][A-Za-z_ .#:()/-]*[12]?", name) is not None
    return is_plain and 0 < len(words) <= 4 and any(word in _ENDS for word in words)


def is_end_word(cell: str) -> bool:
    """Whether a cell of a table is nothing but such words, as in a graph of words; not a code such as ``u1``."""
    words = words_of(cell)
    return bool(words) and all(word in _ENDS and len(word) > 2 for word in words) and cell.replace(" ", "").isalpha()


def find_ends(names: Sequence[str]) -> tuple[int, int] | None:
    """The two named columns that hold the ends of the edges; None if the names are inconclusive.

    They have usual names, or are the first two with names such as ``protein1`` and ``protein2``, or are the only two
    with names for ends such as ``buyer`` and ``seller``, or with any names that are not those of weights or times.
    """
    keys = [column_key(name) for name in names]
    source = next((keys.index(key) for key in SOURCE_NAMES if key in keys), None)
    target = next((keys.index(key) for key in TARGET_NAMES if key in keys), None)
    if source is not None and target is not None:
        return source, target
    if len(keys) == 2 or (len(keys) > 2 and is_pair_of_names(*names[:2])):
        return 0, 1
    others = [k for k, key in enumerate(keys) if key not in (*WEIGHT_NAMES, *TIME_NAMES)]
    for ends in ([k for k in others if len(keys[k]) > 1 and is_end_name(names[k])], others):
        if len(ends) == 2:
            return ends[0], ends[1]
    return None


def suggest_direction(names: tuple[str, str] | None) -> bool:
    """Whether the names of the two ends say that edges have directions; ``source`` and ``target`` do not."""
    if names is None or tuple(map(column_key, names)) == ("source", "target"):
        return False
    first, second = (set(words_of(name)) for name in names)
    return any(one in first and other in second for one, other in _DIRECTED)


def suggest_sides(names: tuple[str, str] | None) -> bool:
    """Whether the names of the two ends are of people on one side and of things on the other."""
    if names is None:
        return False
    first, second = (set(words_of(name)) for name in names)
    people, things = (bool(first & _PEOPLE), bool(second & _PEOPLE)), (bool(first & _THINGS), bool(second & _THINGS))
    return (people, things) in (((True, False), (False, True)), ((False, True), (True, False)))
