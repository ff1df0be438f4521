/** The OpenAPI description of the service, put together from its routes, their answers and the schemas of those. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { SERVICE_SCHEMAS, type ServiceSchemaName } from '../contract/answers/answer-schemas.ts';
import { DESCRIBED_OPERATIONS, type DescribedContent } from './described-operations.ts';
import { routesOf, type Route } from './routes/route.ts';

/** Changes whenever something that a client may rely on goes or takes another form; what is only added leaves it. */
const DESCRIPTION_VERSION = 1;
export const OPENAPI_FACTS = {
  openapi: '3.1.0',
  info: { title: 'Winnow node service', version: `${DESCRIPTION_VERSION}` },
  components: { securitySchemes: { password: { type: 'http', scheme: 'basic' } } }
} as const;

type Json = Record<string, unknown>;

/** Call it once all routes are there. */
export function describeService(app: FastifyInstance): object {
  const document = app.swagger() as unknown as {
    paths: Record<string, Record<string, Json>>;
    components?: Json;
  };
  const paths: Record<string, Record<string, Json>> = {};
  const used = new Set<ServiceSchemaName>(['ScavengeProgress']);
  for (const [path, operations] of Object.entries(document.paths)) {
    // The library names what a wildcard stands for after its asterisk, which no generator of clients can spell.
    const shown = path.replace('{*}', '{path}');
    const described = (paths[shown] ??= {});
    for (const [method, operation] of Object.entries(operations)) {
      const route = routesOf(app).find(
        ({ method: itsMethod, url }) => itsMethod.toLowerCase() === method && templateOf(url) === shown
      );
      described[method] = route ? describeOperation(operation, route, used) : operation;
    }
  }
  const schemas = Object.fromEntries([...used].sort().map((name) => [name, jsonSchemaOf(name)]));
  return { ...document, components: { ...document.components, schemas }, paths };
}

function templateOf(url: string): string {
  return url.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}');
}

function describeOperation(operation: Json, route: Route, used: Set<ServiceSchemaName>): Json {
  const described = DESCRIBED_OPERATIONS[route.id];
  const { body } = described ?? {};
  const parameters = operation['parameters'] as { name: string }[] | undefined;
  if (body) used.add(body.schema);
  return {
    operationId: route.id,
    ...operation,
    ...(parameters && {
      parameters: parameters.map((one) => (one.name === '*' ? { ...one, name: 'path' } : one))
    }),
    ...(body && {
      requestBody: {
        required: route.id !== 'startCycle',
        content: { 'application/json': { schema: referTo(body.schema), example: body.example } }
      }
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(described?.answers ?? {}).map(([status, answer]) => [status, answerOf(answer, used)])
      ),
      ...guardAnswers(route),
      default: {
        description: 'Refused before the operation was reached, or failed.',
        content: { 'text/plain': { schema: { type: 'string' } } }
      }
    },
    security: route.access === 'anyone' ? [] : [{ password: [] }]
  };
}

/** Their bodies are empty. */
function guardAnswers({ access, id }: Route): Json {
  if (access === 'anyone') return {};
  return {
    401: { description: 'No credentials, or wrong ones.' },
    ...(access === 'operator' && { 403: { description: 'The user has no role that may do this.' } }),
    ...(DESCRIBED_OPERATIONS[id]?.answers[429] === undefined && {
      429: { description: 'Too many wrong passwords; Retry-After says when to try again.' }
    })
  };
}

function answerOf({ description, content, headers }: DescribedContent, used: Set<ServiceSchemaName>): Json {
  if (content?.schema) used.add(content.schema);
  return {
    description,
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, meaning]) => [
          name,
          { description: meaning, schema: { type: 'string' } }
        ])
      )
    }),
    ...(content && {
      content: {
        [content.type]: {
          schema: content.schema ? referTo(content.schema) : {},
          example: content.example
        }
      }
    })
  };
}

function referTo(name: ServiceSchemaName): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** Unknown members are allowed: later versions may add some. */
function jsonSchemaOf(name: ServiceSchemaName): Json {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(SERVICE_SCHEMAS[name], {
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    }
  });
  return schema;
}
