/**
 * Where the packaged application lies: release/linux-unpacked, or the tree below WINNOW_INSTALLED, laid out as the
 * Debian package lays it out (scripts/packaged-check.mjs).
 */
import path from 'node:path';

export const checkout = path.resolve(import.meta.dirname, '../..');
const installed = process.env['WINNOW_INSTALLED'];
const unpacked = path.join(checkout, 'release/linux-unpacked');

/** As a user starts it: out of the PATH where it is installed. */
export const windowExecutable =
  installed === undefined
    ? path.join(unpacked, 'winnow-window')
    : path.join(installed, 'usr/bin/winnow-window');
export const commandLauncher =
  installed === undefined
    ? path.join(unpacked, 'resources/bin/winnow')
    : path.join(installed, 'usr/bin/winnow');
