/** Passes content through a transform stream of Node, including failures of either side. */
import { pipeline, type Duplex } from 'node:stream';

/** Errors of the source come out unchanged; the source is closed when the reader stops. */
export async function* throughTransform(
  source: AsyncIterable<Uint8Array>,
  transform: Duplex
): AsyncIterable<Uint8Array> {
  // The iteration below throws the failure: there is nothing to do in the callback.
  pipeline(source, transform, () => undefined);
  for await (const block of transform) yield block as Uint8Array;
}
