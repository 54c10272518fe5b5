"""Ray on three nodes: rankings and training, though workers and a node are lost on the way."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest

import ray_clusters
from dying_candidates import KILLED, ManyParts, NodeDies, WorkerDies, digest
from fitting import fit, same_state
from linkwl.engine import RayEngine
from linkwl.engine.group import GroupLostError
from linkwl.engine.ray_group import RayGroup
from linkwl.errors import InputError
from toy_model import DyingToy, Toy, ToyConfig

pytestmark = ray_clusters.MARKS


@pytest.fixture(scope="module")
def cluster():
    """A head and two further nodes."""
    with ray_clusters.cluster(3) as made:
        yield made


def test_three_nodes_rank_as_this_process_does_though_a_worker_and_a_node_die(cluster, predictor, tmp_path):
    graph, engine = predictor.graph_, RayEngine(cluster.address)
    expected = digest(predictor, ManyParts(graph))
    assert digest(predictor, ManyParts(graph), engine) == expected
    assert digest(predictor, WorkerDies(graph, tmp_path), engine) == expected
    assert (tmp_path / KILLED).exists()
    removed = []

    def remove() -> None:
        end = time.monotonic() + 60
        while not (tmp_path / "victim").exists() and time.monotonic() < end:
            time.sleep(0.02)
        name = (tmp_path / "victim").read_text()
        (node,) = (node for node in cluster.worker_nodes if node.node_id == name)
        cluster.remove_node(node, allow_graceful=False)
        removed.append(name)

    thread = threading.Thread(target=remove, daemon=True)
    thread.start()
    assert digest(predictor, NodeDies(graph, tmp_path, cluster.head_node.node_id), engine) == expected
    thread.join(60)
    assert len(removed) == 1
    assert [node.node_id for node in cluster.worker_nodes] != removed
    assert len(cluster.worker_nodes) == 1
    cluster.add_node(**ray_clusters.SMALL)


def test_actors_train_the_weights_of_one_process_though_one_dies(cluster, split, tmp_path):
    settings = ToyConfig.model_validate({"training": {"max_steps": 4, "batches_per_step": 3}})
    alone, together = Toy(settings), DyingToy(settings)
    fit(alone, split, workers=1)
    together.folder = str(tmp_path)
    fit(together, split, workers=3, engine=RayEngine(cluster.address))
    assert same_state(alone, together)
    assert (tmp_path / "kills").read_text() == "x"
    two = Toy(settings)
    fit(two, split, workers=2, engine=RayEngine(cluster.address))
    assert same_state(alone, two)
    with pytest.raises(InputError, match="9 workers need as many cores, and the Ray cluster has 3;"):
        fit(
            Toy(settings.model_copy(update={"training": settings.training.model_copy(update={"batches_per_step": 9})})),
            split,
            workers=9,
            engine=RayEngine(cluster.address),
        )


class LostCluster:
    """Ray without the nodes that its actors wait for."""

    exceptions = ray_clusters.ray.exceptions

    def put(self, value):
        return value

    def wait(self, waiting, timeout):
        return [], waiting

    def get(self, references, timeout):
        return []

    def nodes(self):
        return [{"Alive": True, "Resources": {"CPU": 1.0}}, {"Alive": False, "Resources": {"CPU": 1.0}}]


def test_actors_that_no_node_has_cores_for_are_lost():
    group = RayGroup.__new__(RayGroup)
    actor = SimpleNamespace(answer=SimpleNamespace(remote=lambda content: object()))
    group._ray, group._actors = LostCluster(), [actor, actor]
    with pytest.raises(GroupLostError):
        group.ask(b"step")
