import { readFileSync } from 'node:fs';
import { apiFunction, backgroundFunction } from '../../lib/service-function.ts';
import { type MeasuredInputs, type MeasuredRequest, memorySizes, type RequestKind } from './inputs.ts';
import {
  type Cost,
  coldDuration,
  costOfKind,
  duration,
  keycloakCost,
  lambdaCost,
  secondsPerMonth,
  sum,
  total,
} from './model.ts';
import { type Price, prices } from './prices.ts';

/** The network wait of one call that the tables of cost are made for, in milliseconds. */
const usualWait = 3;

const inputs = JSON.parse(readFileSync(new URL('measured.json', import.meta.url), 'utf8')) as MeasuredInputs;

/** What an operator pays for by the million, and the events that it takes. */
const operations: Readonly<Record<string, readonly RequestKind[]>> = {
  tokens: ['token'],
  'volume lists': ['volumes'],
  syncs: ['sync'],
  // With the event of the tombstone that replaces the content before it.
  'recorded uploads': ['content', 'tombstone'],
};

const ratesPerSecond = [100, 1_000, 10_000] as const;

/** The tables of docs/scale.md, by the name of their block. */
export function scaleTables(): Readonly<Record<string, string>> {
  return {
    inputs: inputsTable(),
    memory: memoryTable(),
    p95: p95Table(),
    choice: choiceOfMemory(),
    cost: costTable(),
    parts: partsTable(),
    'other-services': othersTable(),
    prices: pricesTable(),
  };
}

function measuredOf(kind: RequestKind): MeasuredRequest {
  return inputs.requests[kind];
}

function memoryOf(kind: RequestKind): number {
  return kind === 'content' || kind === 'tombstone' ? backgroundFunction.memorySize : apiFunction.memorySize;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join(
    '\n',
  );
}

const kindNames: Readonly<Record<RequestKind, string>> = {
  token: '`token`',
  volumes: '`volumes`, new token',
  sync: '`sync`, new token',
  documents: '`well-known`, key set',
  content: '`record-upload`, content that replaces other content',
  tombstone: '`record-upload`, tombstone',
};

const kinds = Object.keys(kindNames) as RequestKind[];

function inputsTable(): string {
  const rows = kinds.map((kind) => {
    const { cpuMicroseconds, coldCpuMilliseconds, calls, waits, peakMegabytes, logBytes } = measuredOf(kind);
    const made = Object.entries(calls).map(([name, count]) => (count === 1 ? name : `${count} ${name}`));
    return [
      kindNames[kind],
      (cpuMicroseconds / 1000).toFixed(2),
      String(coldCpuMilliseconds),
      made.join(', ') || 'none',
      String(waits),
      String(logBytes),
      String(peakMegabytes),
    ];
  });
  const head = [
    'Event',
    'CPU, ms',
    'CPU of a cold start, ms',
    'Calls of AWS',
    'in turn',
    'Log, bytes',
    'Peak memory, MB',
  ];
  return `Measured on ${inputs.date} (${inputs.machine}, Node.js ${inputs.node}).\n\n${table(head, rows)}`;
}

/** Dollars for Lambda and time of a cold start, by memory. The size that the stack has is bold. */
function memoryTable(): string {
  const rows = kinds.map((kind) => [
    kindNames[kind],
    ...memorySizes.map((memory) => {
      const { requests, warm, cold } = lambdaCost(measuredOf(kind), memory, usualWait);
      const text = `$${(requests + warm + cold).toFixed(2)}, ${seconds(coldDuration(measuredOf(kind), memory, usualWait))}`;
      return memory === memoryOf(kind) ? `**${text}**` : text;
    }),
  ]);
  return table(
    ['Lambda for a million events, and a cold start', ...memorySizes.map((size) => `${size} MB`)],
    rows,
  );
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** Time of a warm request by memory: as the model has it, and the p95 at that share of a core. */
function p95Table(): string {
  const rows = kinds.map((kind) => [
    kindNames[kind],
    ...memorySizes.map((memory) => {
      const measured = measuredOf(kind);
      const emulated = measured.emulated?.find(
        (one) => one.memory === memory && one.waitMilliseconds === usualWait,
      );
      const model = duration(measured, memory, usualWait).toFixed(0);
      const text =
        emulated === undefined ? model : `${model} / ${emulated.p50.toFixed(0)} / ${emulated.p95.toFixed(0)}`;
      return memory === memoryOf(kind) ? `**${text}**` : text;
    }),
  ]);
  return table(['Warm request, ms: model / p50 / p95', ...memorySizes.map((size) => `${size} MB`)], rows);
}

/** What other memory sizes would change, for the functions for which a client waits. */
function choiceOfMemory(): string {
  const sentences = (['token', 'sync'] as const).flatMap((kind) =>
    [512, 1769].map((memory) => {
      const measured = measuredOf(kind);
      const own = memoryOf(kind);
      const lambda = (size: number) => {
        const { warm, cold } = lambdaCost(measured, size, usualWait);
        return warm + cold;
      };
      const whole = total(costOf([kind], 100));
      const saved = lambda(own) - lambda(memory);
      const percent = ((100 * Math.abs(saved)) / whole).toFixed(1);
      const times = [coldDuration, duration].map((time) =>
        (time(measured, memory, usualWait) / time(measured, own, usualWait)).toFixed(2),
      );
      return `- ${kindNames[kind]} with ${memory} MB instead of ${own}: ${percent} % ${saved > 0 ? 'cheaper' : 'dearer'} in all; a cold start takes ${times[0]} times as long, a warm request ${times[1]} times.`;
    }),
  );
  return sentences.join('\n');
}

function costOf(operation: readonly RequestKind[], perSecond: number): Cost {
  return sum(
    operation.map((kind) =>
      costOfKind(measuredOf(kind), {
        kind,
        memory: memoryOf(kind),
        waitMilliseconds: usualWait,
        requestsPerMonth: perSecond * secondsPerMonth,
      }),
    ),
  );
}

/** What is paid whether there are requests or not, in dollars for a month. */
const fixedPerMonth = 2 * prices.secret.dollars + prices.key.dollars;

function costTable(): string {
  const rows = Object.entries(operations).map(([name, operation]) => [
    `A million ${name}`,
    ...ratesPerSecond.map((rate) => dollars(total(costOf(operation, rate)))),
    `${((100 * (costOf(operation, 100)['cold starts'] ?? 0)) / total(costOf(operation, 100))).toFixed(1)} %`,
  ]);
  const perMonth = Object.entries(operations).map(([name, operation]) => [
    `A month of ${name}`,
    ...ratesPerSecond.map((rate) => {
      const millions = (rate * secondsPerMonth) / 1e6;
      return `$${Math.round(total(costOf(operation, rate)) * millions + fixedPerMonth).toLocaleString('en')}`;
    }),
    '',
  ]);
  const head = [
    '',
    ...ratesPerSecond.map((rate) => `${rate.toLocaleString('en')} per second`),
    'of it cold starts',
  ];
  return table(head, [...rows, ...perMonth]);
}

function partsTable(): string {
  const names = Object.keys(costOf(operations.tokens ?? [], 100));
  const rows = Object.entries(operations).map(([name, operation]) => {
    const cost = costOf(operation, 100);
    return [name, ...names.map((part) => dollars(cost[part] ?? 0))];
  });
  return table(['A million, at 100 per second', ...names], rows);
}

function othersTable(): string {
  const rows = [
    ['This service', ...ratesPerSecond.map((rate) => dollars(total(costOf(operations.tokens ?? [], rate))))],
    ['Cognito', ...ratesPerSecond.map(() => `$${prices.cognitoToken.dollars.toLocaleString('en')}`)],
    ['Keycloak, with its database', ...ratesPerSecond.map((rate) => dollars(keycloakCost(rate)))],
    ['the same at a tenth of that load', ...ratesPerSecond.map((rate) => dollars(idleKeycloak(rate)))],
  ];
  return table(
    ['A million tokens', ...ratesPerSecond.map((rate) => `${rate.toLocaleString('en')} per second`)],
    rows,
  );
}

/** Servers are sized for the peak, and are paid for when nobody comes. */
function idleKeycloak(peakPerSecond: number): number {
  return keycloakCost(peakPerSecond) * 10;
}

function pricesTable(): string {
  const rows = Object.values(prices).map((price: Price) => [
    price.what,
    `$${price.dollars}`,
    price.unit,
    `<${price.published}>${price.readFrom === undefined ? '' : `, read from <${price.readFrom}>`}`,
    price.date,
  ]);
  return table(['Paid for', 'Price', 'Unit', 'Source', 'Date'], rows);
}

function dollars(amount: number): string {
  return amount !== 0 && amount < 0.01 ? '< $0.01' : `$${amount.toFixed(2)}`;
}
