/** The forecast of growth as scripts get it, by command and over HTTP. */
import type { ForecastDocument, GrowthReport } from '../operations/usage-reports.ts';

/** The report with what scripts ask for at the top. */
export function forecastDocument({ growth, full, ...report }: GrowthReport): ForecastDocument {
  const { categories = [], ...rates } = growth ?? {};
  return {
    fullAt: full.withoutScavenges?.at ?? null,
    fullAtAfterScavenges: full.withScavenges?.at ?? null,
    bytesPerDay: growth?.writtenPerDay ?? null,
    byCategory: categories.map(({ category, ...perDay }) => ({ name: category, ...perDay })),
    ...report,
    growth: growth && (rates as ForecastDocument['growth']),
    full
  };
}
