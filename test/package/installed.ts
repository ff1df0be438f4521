/**
 * Where the packaged application lies: release/linux-unpacked, or the tree below WINNOW_INSTALLED, laid out as the
 * Debian package lays it out (scripts/packaged-check.mjs).
 */
import { realpathSync } from 'node:fs';
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

/** Where the archive of the application and what belongs to it lie. */
export const resourcesOf = (): string => path.join(path.dirname(realpathSync(windowExecutable)), 'resources');
