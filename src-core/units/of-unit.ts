/**
 * A number of this unit, or one whose unit nobody has said: never one that is known to be of another unit. For
 * parameters that stand next to each other and would compile when exchanged; costs nothing at run time and needs no
 * cast (decision 34). Where a value is made, a type with a unit names it; arithmetic forgets it.
 */
export type OfUnit<Unit extends string> = number & { readonly unit?: Unit };

/** Of a logical chunk, from 0. A physical chunk is a range of them. */
export type ChunkNumber = OfUnit<'ChunkNumber'>;
/** About twice the number of records of a chunk that can go. */
export type ChunkWeight = OfUnit<'ChunkWeight'>;
/** The weight from which a chunk is rewritten; 0: any weight, below 0: every chunk. */
export type Threshold = OfUnit<'Threshold'>;
/** A position in the log, as an argument. */
export type AtPosition = OfUnit<'LogPosition'>;
/** A number of an event in its stream, as an argument. */
export type AtNumber = OfUnit<'EventNumber'>;
/** An offset from the start of a chunk's logical range, as an argument. */
export type AtLogical = OfUnit<'LogicalOffset'>;
/** An offset in the data area of a chunk file, as an argument. */
export type AtPhysical = OfUnit<'PhysicalOffset'>;
