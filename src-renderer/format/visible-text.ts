/** Names from a log as they are shown: no stream can look like another one, or turn the direction of a line. */
export { visibleText } from '../../src-core/units/visible-text.ts';
