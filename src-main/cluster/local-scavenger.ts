/** The coordinator's access to a member that is a stopped node's directory, hosted by this process. */
import { errorLineOf } from '../contract/error-report.ts';
import {
  memberKey,
  scavengeResultOf,
  type MemberId,
  type NodeReply,
  type NodeRequest
} from '../../src-core/index.ts';
import type { RequestOf } from '../contract/operations/operation-contract.ts';
import type { NodeScavenges } from './node-scavenges.ts';

/** How long a request waits for a run to end, in ms: pausing answers within a second. */
const STOP_PATIENCE_MS = 1000;
const WHOLE_SCAVENGE = { threads: 1, threshold: 0, throttlePercent: 100, syncOnly: false };

export type ScavengePointPlacement = NonNullable<RequestOf<'runScavenge'>['scavengePoint']>;

export interface LocalMember {
  id: MemberId;
  scavenges: NodeScavenges;
  /** The placement of scavenges that name none themselves; undefined: that of the keeper of its scavenges. */
  placement?: (() => ScavengePointPlacement | undefined) | undefined;
  log: (level: 'info' | 'warning', message: string) => void;
}

/** Never throws: failures are replies. */
export async function askLocalMember(
  member: LocalMember,
  request: NodeRequest,
  threshold?: number
): Promise<NodeReply> {
  const { scavenges, log } = member;
  const name = memberKey(member.id);
  switch (request.kind) {
    case 'start':
      try {
        log('info', `Starting node scavenge on node ${name}.`);
        const scavengePoint = request.scavengePoint ?? member.placement?.();
        const scavengeId = await scavenges.start({
          ...WHOLE_SCAVENGE,
          pace: 'planned',
          threshold: threshold ?? request.threshold ?? WHOLE_SCAVENGE.threshold,
          ...(scavengePoint !== undefined && { scavengePoint })
        });
        log('info', `Started node scavenge on node ${name}: ${scavengeId}.`);
        return { kind: 'started', scavengeId };
      } catch (error) {
        const reason = errorLineOf(error) ?? String(error);
        log('warning', `Failed to start scavenge on node ${name}: ${reason}`);
        return { kind: 'failed' };
      }
    case 'poll':
      return pollReply(scavenges, request.scavengeId);
    case 'stop': {
      const patience = new Promise<'late'>((resolve) =>
        setTimeout(resolve, STOP_PATIENCE_MS, 'late').unref()
      );
      const stopped = await Promise.race([scavenges.stop(request.scavengeId ?? 'current'), patience]);
      return { kind: stopped === 'late' ? 'failed' : stopped === undefined ? 'notFound' : 'stopped' };
    }
    case 'resign':
      return { kind: 'resigning' };
  }
}

/** A run that this process does not know was interrupted with the process that started it: it is started again and resumes. */
function pollReply({ last }: NodeScavenges, scavengeId: string): NodeReply {
  if (last.scavengeId !== scavengeId)
    return { kind: last.result === 'InProgress' ? 'inProgress' : 'notRunning' };
  switch (last.result) {
    case 'InProgress':
      return { kind: 'inProgress' };
    case 'Unknown':
      return { kind: 'notRunning' };
    default:
      return { kind: scavengeResultOf(last.result) ?? 'notRunning' };
  }
}
