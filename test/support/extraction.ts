/** Runs the operations that take events out, as the doors do, and reads what they wrote. */
import fs from 'node:fs';
import { NodeFileSystem, type FileSystem } from '../../src-core/index.ts';
import {
  exportReport,
  extractReport,
  type ExportReport,
  type ExtractReport
} from '../../src-main/contract/operations/extraction-reports.ts';
import { requests, type RequestOf } from '../../src-main/contract/operations/operation-contract.ts';
import type { OperationContext } from '../../src-main/operations/operation.ts';
import { runReportOperation } from '../../src-main/operations/operation-table.ts';
import { testingContext } from './testing-context.ts';

export interface ExtractionRun {
  fileSystem?: FileSystem;
  signal?: AbortSignal;
  onProgress?: (done: number) => void;
}

export function extractionContext({ fileSystem, signal, onProgress }: ExtractionRun = {}): OperationContext {
  return testingContext('extractEvents', {
    fileSystem: fileSystem ?? new NodeFileSystem(),
    signal: signal ?? new AbortController().signal,
    clock: () => Date.UTC(2026, 10, 23),
    onProgress: ({ done }) => onProgress?.(done)
  });
}

export async function extract(
  request: RequestOf<'extractEvents'>,
  run: ExtractionRun = {}
): Promise<ExtractReport> {
  const checked = requests.extractEvents.parse(request);
  return extractReport.parse(await runReportOperation('extractEvents', checked, extractionContext(run)));
}

export async function exportTo(
  request: RequestOf<'exportDatabase'>,
  run: ExtractionRun = {}
): Promise<ExportReport> {
  const checked = requests.exportDatabase.parse(request);
  return exportReport.parse(await runReportOperation('exportDatabase', checked, extractionContext(run)));
}

/** A line of JSON Lines. */
export interface ExtractedLine {
  stream: string;
  eventNumber: number | string;
  eventType: string;
  eventId: string;
  time: string;
  position: number;
  isJson: boolean;
  data: unknown;
  dataEncoding?: string;
  metadata: unknown;
  metadataEncoding?: string;
}

export function linesOfFile(file: string): ExtractedLine[] {
  const text = fs.readFileSync(file, 'utf8');
  if (text === '') return [];
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as ExtractedLine);
}
