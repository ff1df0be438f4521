/**
 * Answers a verb, whichever gate it came through: its own members are validated here, once. What it asks of the engine
 * is validated at the engine's door.
 */
import { wrongRequest } from '../contract/error-report.ts';
import { verbRequests, type CheckedVerb } from '../contract/verbs/validate.ts';
import type { AskOptions, VerbHandlers } from '../contract/verbs/verb-handler.ts';
import type { VerbName, Verbs } from '../contract/verbs/workbench-contract.ts';

type Handler<V extends VerbName> = (
  request: CheckedVerb<V>,
  options: AskOptions
) => Promise<Verbs[V]['reply']> | Verbs[V]['reply'];

/** Throws InvalidRequest that names the first wrong member. */
export async function answerVerb<V extends VerbName>(
  handlers: VerbHandlers,
  verb: V,
  request: unknown,
  options: AskOptions = {}
): Promise<Verbs[V]['reply']> {
  const checked = verbRequests[verb].safeParse(request);
  if (!checked.success) throw wrongRequest(verb, checked.error);
  return (handlers[verb] as Handler<V>)(checked.data as CheckedVerb<V>, options);
}
