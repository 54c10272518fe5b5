/** Force-directed layout: where nodes start, the arrays that ForceAtlas2 works on, and how long it runs. */

/** Numbers per node and per edge in the arrays of graphology-layout-forceatlas2. */
export const PER_NODE = 10;
export const PER_EDGE = 3;
const [X, Y, MASS, CONVERGENCE, SIZE] = [0, 1, 6, 7, 8];

/** A sunflower: nodes of high degree inside, the same for the same graph. */
export function startPositions(degree: readonly number[]): [number, number][] {
  const order = degree.map((_, i) => i).sort((a, b) => (degree[b] as number) - (degree[a] as number) || a - b);
  const positions: [number, number][] = new Array(degree.length);
  const turn = Math.PI * (3 - Math.sqrt(5));
  order.forEach((node, i) => {
    const radius = 10 * Math.sqrt(i + 0.5);
    positions[node] = [radius * Math.cos(i * turn), radius * Math.sin(i * turn)];
  });
  return positions;
}

export function nodeMatrix(degree: readonly number[], positions: readonly [number, number][]): Float32Array {
  const matrix = new Float32Array(degree.length * PER_NODE);
  degree.forEach((links, i) => {
    const [x, y] = positions[i] as [number, number];
    matrix[i * PER_NODE + X] = x;
    matrix[i * PER_NODE + Y] = y;
    matrix[i * PER_NODE + MASS] = 1 + links;
    matrix[i * PER_NODE + CONVERGENCE] = 1;
    matrix[i * PER_NODE + SIZE] = 1;
  });
  return matrix;
}

/** Edges as offsets into the matrix of nodes, each with weight 1; loops are left out. */
export function edgeMatrix(edges: readonly number[]): Float32Array {
  const kept: number[] = [];
  for (let i = 0; i + 1 < edges.length; i += 2) {
    const [u, v] = [edges[i] as number, edges[i + 1] as number];
    if (u !== v) kept.push(u * PER_NODE, v * PER_NODE, 1);
  }
  return Float32Array.from(kept);
}

export function positionsOf(matrix: Float32Array): Float32Array {
  const out = new Float32Array((2 * matrix.length) / PER_NODE);
  for (let i = 0; i < out.length / 2; i++) {
    out[2 * i] = matrix[i * PER_NODE + X] as number;
    out[2 * i + 1] = matrix[i * PER_NODE + Y] as number;
  }
  return out;
}

export function layoutSettings(numNodes: number) {
  return {
    linLogMode: false,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 1,
    scalingRatio: 10,
    strongGravityMode: true,
    gravity: 0.05,
    slowDown: 1 + Math.log(Math.max(1, numNodes)),
    barnesHutOptimize: numNodes > 1000,
    barnesHutTheta: 0.6,
  };
}

export function numIterations(numNodes: number): number {
  return numNodes <= 500 ? 500 : numNodes <= 2000 ? 300 : 160;
}
