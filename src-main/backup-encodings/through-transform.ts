/** Content led through a transforming stream of Node, failures of either side included. */
import { pipeline, type Duplex } from 'node:stream';

/** What the source throws comes out unchanged; the source is closed when whoever reads has had enough. */
export async function* throughTransform(
  source: AsyncIterable<Uint8Array>,
  transform: Duplex
): AsyncIterable<Uint8Array> {
  // The iteration below throws the failure: nothing is left to do in the callback.
  pipeline(source, transform, () => undefined);
  for await (const block of transform) yield block as Uint8Array;
}
