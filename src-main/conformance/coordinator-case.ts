/** The cases of the coordinator in their files, as far as the runner reads them. */
export interface CaseMember {
  node: string;
  state?: string;
  writerCheckpoint?: number;
  alive?: boolean;
  readOnlyReplica?: boolean;
  instance?: string | null;
}

export type CaseEvent = { type: string; at?: string } & Record<string, unknown>;
export type CaseRequest = (string | null)[];

export interface CoordinatorExpectation {
  events?: CaseEvent[];
  requests?: CaseRequest[];
  answer?: { status: number; body?: unknown; detail?: string };
  state?: string | null;
}

export interface CoordinatorStep {
  at?: string;
  self?: string;
  input: 'gossip' | 'configure' | 'pause' | 'resume' | 'status' | 'tick' | 'restart';
  gossip?: string | CaseMember[];
  schedule?: string;
  replies?: Record<string, Partial<Record<'start' | 'poll' | 'stop', string[]>>>;
  store?: 'notLeader' | 'wrongVersion' | 'error';
  expect?: CoordinatorExpectation;
}

export interface CoordinatorCase {
  id: string;
  clusterSize: number;
  start: string;
  self?: string;
  gossips?: Record<string, CaseMember[]>;
  history?: CaseEvent[];
  steps: CoordinatorStep[];
}
