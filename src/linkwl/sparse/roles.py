"""The roles that entities play: which relations they have, and what that says about further ones.

With R relations, an entity has role r if it is the head of a fact of relation r, and role R + r if it is the tail of
one. All statistics are of the graph itself, so they mean the same for entities and relations that were never seen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from linkwl.kernel import kernel
from linkwl.threads import run_ranges
from linkwl.typing import FloatArray, IntArray

ROLE_FEATURES = ("lift", "mean lift", "likeness", "count", "near")
"""The columns of :func:`role_features`."""
_LARGEST_LIFT, _LIFT_UNIT = 20.0, 4.0
_SMALLEST_WEIGHT = 0.05


class Roles(NamedTuple):
    """The roles of every entity in compressed rows, and how roles go together.

    Further roles from 2 R on, such as the types of entities, tell something about others but are never asked for.
    """

    ptr: IntArray
    """The roles of entity v are at ``ptr[v] : ptr[v + 1]``; int64."""
    role: IntArray
    """Ascending for each entity; int32."""
    times: FloatArray
    """How often the entity has the role."""
    weight: FloatArray
    """The entity's profile: rare roles weigh more, and the squares add up to one."""
    lift: FloatArray
    """``lift[s, q]``: how many times as often entities with role s, which is asked for, have role q as all entities
    do, as a logarithm; 0 for q = s."""
    centre: FloatArray
    """``centre[s]``: the sum of the profiles of all entities with role s."""
    centre_square: FloatArray
    """The squared lengths of the centres."""
    near_ptr: IntArray
    near_role: IntArray
    near_share: FloatArray
    """The roles of an entity's neighbours, with the share of the neighbours that have each; compressed rows."""
    num_entities: FloatArray
    """The number of entities with each role."""


def read_roles(
    entity: IntArray, role: IntArray, num_nodes: int, num_roles: int, num_asked: int, links: sp.csr_array
) -> Roles:
    r"""Counts roles and how they go together.

    Let :math:`n_s` be the number of entities with role s, :math:`p_s` its share, and :math:`C_{sq}` the number of those
    with both. The lift of q given s is

    .. math::
        \ln \frac{(C_{sq} + 2 p_q) / (n_s + 2)}{p_q}

    which is 0 for roles that are independent or of which nothing is known.

    Args:
        entity: An entity for each of its facts.
        role: Its role in the fact.
        num_nodes: Number of entities.
        num_roles: Number of roles.
        num_asked: Number of roles that may be asked for, the first ones.
        links: The symmetric adjacency matrix of entities that some fact joins.
    """
    counts = sp.csr_array((np.ones(len(entity)), (entity, role)), shape=(num_nodes, num_roles))
    counts.sum_duplicates()
    counts.sort_indices()
    has = counts.copy()
    has.data[:] = 1
    number = np.asarray(has.sum(axis=0)).reshape(-1)
    share = number / max(num_nodes, 1)
    is_played = number > 0
    asked = has[:, :num_asked]
    together = (asked.T @ has).toarray()
    prior = np.where(is_played, share, 1.0)
    lift = np.log((together + 2 * prior) / (number[:num_asked, None] + 2) / prior)
    lift[:, ~is_played] = 0
    np.fill_diagonal(lift, 0)
    rarity = np.maximum(np.log(max(num_nodes, 1) / (number + 1)), _SMALLEST_WEIGHT)
    weight = rarity[has.indices]
    owner = np.repeat(np.arange(num_nodes), np.diff(has.indptr))
    length = np.sqrt(np.bincount(owner, weights=weight**2, minlength=num_nodes))
    weight = weight / length[owner]
    profile = sp.csr_array((weight, has.indices, has.indptr), shape=has.shape)
    centre = (asked.T @ profile).toarray()
    degree = np.maximum(np.diff(links.indptr), 1)
    near = sp.csr_array(links @ has)
    near.sort_indices()
    near_share = near.data / degree[np.repeat(np.arange(num_nodes), np.diff(near.indptr))]
    return Roles(
        has.indptr.astype(np.int64),
        has.indices.astype(np.int32),
        counts.data.astype(np.float32),
        weight.astype(np.float32),
        lift.astype(np.float32),
        centre.astype(np.float32),
        (centre**2).sum(axis=1),
        near.indptr.astype(np.int64),
        near.indices.astype(np.int32),
        near_share.astype(np.float32),
        number,
    )


def role_features(roles: Roles, entities: IntArray, asked: IntArray) -> FloatArray:
    """What speaks for an entity having a role, whether or not it is known to have it.

    The columns are: the sum of the lifts of the role given the entity's other roles, in quarters and at most 5; the
    mean of these lifts; the cosine between the entity's profile and the centre of all other entities with the role; the
    logarithm of how often it has the role; and the share of its neighbours that have it.

    Shape:
        - entities, asked: ``(num_queries,)``
        - output: ``(num_queries, 5)``, float32
    """
    entities, asked = np.ascontiguousarray(entities), np.ascontiguousarray(asked)
    out = np.zeros((len(entities), len(ROLE_FEATURES)), dtype=np.float32)
    run_ranges(
        lambda start, stop: _fill_features(roles, entities[start:stop], asked[start:stop], out[start:stop]),
        len(entities),
    )
    return out


@kernel
def _fill_features(roles, entities, asked, out):
    for i in range(len(entities)):
        v, s = entities[i], asked[i]
        lift, dot, count = 0.0, 0.0, 0.0
        for k in range(roles.ptr[v], roles.ptr[v + 1]):
            q = roles.role[k]
            lift += roles.lift[s, q]
            dot += roles.weight[k] * roles.centre[s, q]
            if q == s:
                count = roles.times[k]
        square = roles.centre_square[s]
        if count > 0:  # the entity itself is not one of the others
            square += 1 - 2 * dot
            dot -= 1
        number = roles.ptr[v + 1] - roles.ptr[v]
        out[i, 0] = min(max(lift, -_LARGEST_LIFT), _LARGEST_LIFT) / _LIFT_UNIT
        out[i, 1] = lift / max(number, 1)
        out[i, 2] = dot / np.sqrt(square) if square > 1e-4 else 0.0
        out[i, 3] = np.log1p(count)
        out[i, 4] = _share(roles.near_role, roles.near_share, roles.near_ptr[v], roles.near_ptr[v + 1], s)


@kernel
def _share(role, share, start, stop, wanted):
    """The share of a role in an ascending row; 0 if it is not there."""
    low, high = start, stop
    while low < high:
        middle = (low + high) // 2
        if role[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return share[low] if low < stop and role[low] == wanted else np.float32(0)
