/**
 * The operations of a service as spans of OpenTelemetry, sent to a collector over OTLP/HTTP (JSON): one for each, without parents.
 * Where to, and with which headers and limits, the library itself reads from the variables of OpenTelemetry
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter/). A collector that does not answer costs an operation nothing: spans
 * wait in a bounded queue, and those that do not fit are dropped.
 */
import { SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { OperationListener } from '../activity/recorded-engine.ts';
import type { ActivityEntry } from '../contract/operations/activity-reports.ts';
import { titleOfRecord } from '../contract/operations/operation-titles.ts';

/**
 * The last spans are sent while the service ends, which a collector that takes longer does not hold up. So its requests have no
 * more either, unless OpenTelemetry's variables say so.
 */
const LAST_SPANS_MS = 2000;
const TIMEOUTS = ['OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', 'OTEL_EXPORTER_OTLP_TIMEOUT'];
/** A collector limits attributes; reports have at most some dozens of single figures. */
const MOST_ATTRIBUTES = 128;

export interface OperationSpans extends OperationListener {
  /** Sends what is left. Never rejects. */
  close: () => Promise<void>;
}

export function operationSpans(version: string): OperationSpans {
  const hasOwnTimeout = TIMEOUTS.some((name) => process.env[name]);
  const exporter = new OTLPTraceExporter(hasOwnTimeout ? {} : { timeoutMillis: LAST_SPANS_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': process.env['OTEL_SERVICE_NAME'] ?? 'winnow',
      'service.version': version
    }),
    spanLimits: { attributeCountLimit: MOST_ATTRIBUTES },
    spanProcessors: [new BatchSpanProcessor({ exporter })]
  });
  const tracer = provider.getTracer('winnow', version);
  const running = new Map<string, Span>();
  return {
    begun: (entry) => {
      const startTime = new Date(entry.startedAt);
      running.set(
        entry.id,
        tracer.startSpan(titleOfRecord(entry), { startTime, attributes: factsOf(entry) })
      );
    },
    ended: (entry) => {
      const span = running.get(entry.id);
      running.delete(entry.id);
      if (!span) return;
      span.setAttributes(resultOf(entry));
      if (entry.error) span.setStatus({ code: SpanStatusCode.ERROR, message: entry.error.message });
      else if (entry.outcome === 'done') span.setStatus({ code: SpanStatusCode.OK });
      span.end(entry.endedAt === null ? undefined : new Date(entry.endedAt));
    },
    close: async () => {
      let late: NodeJS.Timeout | undefined;
      const patience = new Promise<void>((resolve) => (late = setTimeout(resolve, LAST_SPANS_MS)));
      await Promise.race([provider.shutdown().catch(() => undefined), patience]);
      clearTimeout(late);
    }
  };
}

function factsOf({ id, operation, door, dataDirectory, pid }: ActivityEntry): Attributes {
  return {
    'winnow.operation': operation,
    'winnow.operation.id': id,
    'winnow.door': door,
    'process.pid': pid,
    ...(dataDirectory === null ? {} : { 'winnow.data_directory': dataDirectory })
  };
}

function resultOf({ outcome, verdict, error, figures }: ActivityEntry): Attributes {
  const known = Object.entries(figures).filter(([, value]) => value !== null);
  return {
    'winnow.outcome': outcome,
    ...(verdict === null ? {} : { 'winnow.verdict': verdict }),
    ...(error ? { 'error.type': error.code } : {}),
    ...Object.fromEntries(known.map(([name, value]) => [`winnow.figure.${name}`, value ?? undefined]))
  };
}
