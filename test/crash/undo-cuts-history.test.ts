/** A scavenge that keeps what it replaces and its undo, cut: undone, or resumed first and then undone. */
import { it } from 'vitest';
import { cutThereAndBack } from './undo-subject.ts';

it('is back to the byte wherever it was cut', () => cutThereAndBack('history', 'back'));

it('is back to the byte where the run was resumed first', () => cutThereAndBack('history', 'onAndBack'));
