/** Edges as plain lines, for graphs with many of them. */
import { EdgeLineProgram, type EdgeProgramType } from "sigma/rendering";

/** A program of sigma that passes over the edges while they are not wanted.
 *
 * To mark each of them as hidden would cost more: sigma reads all edges again, and its shader still visits their ends.
 */
export function linesWhile(areWanted: () => boolean): EdgeProgramType {
  return class extends EdgeLineProgram {
    override hasNothingToRender(): boolean {
      return !areWanted() || super.hasNothingToRender();
    }
  };
}
