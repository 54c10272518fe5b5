/** One iteration of ForceAtlas2, which its package has without types. It moves the nodes in the matrix. */
declare module "graphology-layout-forceatlas2/iterate.js" {
  export default function iterate(settings: object, nodes: Float32Array, edges: Float32Array): unknown;
}
