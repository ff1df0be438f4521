/** The vocabulary of an erasure report: where something was found, what it is, and how much of it. Types only. */

export type PlaceKind =
  | 'log'
  | 'index'
  | 'scavengeState'
  | 'backup'
  | 'supersededChunk'
  | 'temporaryFile'
  | 'slack'
  /** A copy set aside, or a file that is not part of a database. */
  | 'other';

export type FoundWhat =
  /** A record of the stream with its data. */
  | 'event'
  /** A record of the stream whose data were overwritten; its stream, type, id and metadata are there. */
  | 'redacted'
  /** Says that the stream was deleted for good; carries its name. */
  | 'tombstone'
  /** A record of the metadata stream; carries the name. */
  | 'metadata'
  /** An event of another stream that points to one of this stream. */
  | 'link'
  /** The name or id in the data, metadata or name of something else. */
  | 'mention'
  /** The hash of the stream or its metadata stream in a table of the index. */
  | 'indexEntry'
  /** The name in the scavenge state. */
  | 'name'
  /** The name or id in bytes that belong to no whole record. */
  | 'bytes';

export interface Found {
  kind: PlaceKind;
  what: FoundWhat;
  count: number;
  /** In the file, plain bytes. */
  firstOffset: number;
}
