import { openapiDocument } from '../../contract/openapi/document.ts';
import { rateLimits } from '../../lib/api.ts';
import { completeConfiguration } from '../../lib/configuration.ts';

/**
 * US dollars for a million requests. Lambda: same price as a list of volumes. Log lines: about 1 KB for a
 * request.
 */
const prices = { requests: 1, lambda: 0.22, logs: 0.5 };

/** US dollars for a gigabyte out of AWS. A response is about 1 KB, except for the API description. */
const traffic = { price: 0.09, responseBytes: 1_000 };

const secondsOfDay = 86_400;

/**
 * Returns the table of docs/cost.md: a day of requests without credentials to every route, at the default
 * limits.
 */
export function floodCostTable(): string {
  const routes = rateLimits(completeConfiguration({})).map(([route, limit]) => costOf(route, limit));
  const total = (of: (route: Flood) => number) => routes.reduce((sum, route) => sum + of(route), 0);
  const batch: Flood = {
    name: 'Together',
    limit: total(({ limit }) => limit),
    requests: total(({ requests }) => requests),
    traffic: total((route) => route.traffic),
  };
  return `\
| A day of requests without credentials | A second | API requests | Lambda | Log lines | Traffic | Together |
|---|--:|--:|--:|--:|--:|--:|
${[...routes, batch].map(rowOf).join('\n')}`;
}

interface Flood {
  readonly name: string;
  /** Requests per second. */
  readonly limit: number;
  /** Millions of requests per day. */
  readonly requests: number;
  /** US dollars per day. */
  readonly traffic: number;
}

function costOf(route: string, limit: number): Flood {
  const requests = (limit * secondsOfDay) / 1e6;
  const isDescription = route.endsWith('openapi.json');
  const bytes = isDescription ? JSON.stringify(openapiDocument()).length : traffic.responseBytes;
  return { name: `\`${route}\``, limit, requests, traffic: (requests * bytes * traffic.price) / 1000 };
}

function rowOf({ name, limit, requests, traffic }: Flood): string {
  const costs = [prices.requests, prices.lambda, prices.logs].map((price) => price * requests);
  const all = [...costs, traffic];
  const cells = [...all, all.reduce((sum, cost) => sum + cost, 0)].map((cost) => `$${cost.toFixed(2)}`);
  return `| ${[name, limit.toLocaleString('en-US'), ...cells].join(' | ')} |`;
}
