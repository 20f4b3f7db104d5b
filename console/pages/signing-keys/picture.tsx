import { type ScaleTime, scaleUtc } from 'd3-scale';
import type { SigningKey } from '../../../cli/operations/signing-keys.ts';
import { anchorWithin, round, TimeAxis } from '../../components/axis.tsx';
import { plainText } from '../../components/text.tsx';

interface PictureProps {
  readonly keys: readonly SigningKey[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** When the keys rotate by themselves the next time. */
  readonly nextRotation: number | undefined;
}

/** What a key does during a time. Undefined: its beginning or end is not known, or not yet. */
interface Span {
  readonly kind: 'waits' | 'signs' | 'verifies';
  readonly from: number | undefined;
  readonly until: number | undefined;
}

const width = 640;
const left = 8;
const right = 8;
const rowHeight = 46;
const top = 18;

/** Keys over time, drawn on the server. The list below it says the same in words. */
export function KeyPicture({ keys, now, nextRotation }: PictureProps) {
  const [from, until] = windowOf(keys, now, nextRotation);
  const x = scaleUtc([from, until], [left, width - right]).clamp(true);
  const height = top + keys.length * rowHeight + 24;
  return (
    <figure class="plot keys">
      <figcaption>Keys over time</figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`Keys over time: ${keys.map(describe).join('; ')}`}
      >
        <line class="now" x1={round(x(now))} x2={round(x(now))} y1={top - 4} y2={height - 22} />
        {keys.map((key, index) => (
          <KeyRow
            label={labelOf(key)}
            spans={spansOf(key, keys, nextRotation)}
            x={x}
            y={top + index * rowHeight}
          />
        ))}
        <text class="now" x={round(x(now))} y={top - 7} text-anchor={anchorWithin(x(now), width - right)}>
          now
        </text>
        <TimeAxis scale={x} y={height - 6} />
      </svg>
      <ul class="legend">
        <li class="waits">published, does not sign</li>
        <li class="signs">signs new tokens</li>
        <li class="verifies">its tokens are still accepted</li>
      </ul>
    </figure>
  );
}

function KeyRow(props: {
  readonly label: string;
  readonly spans: readonly Span[];
  readonly x: ScaleTime<number, number>;
  readonly y: number;
}) {
  const { label, spans, x, y } = props;
  return (
    <g>
      <text x={left} y={y + 14}>
        {label}
      </text>
      {spans.map(({ kind, from, until }) => {
        const start = from === undefined ? left : x(from);
        const end = until === undefined ? width - right : x(until);
        // A time that is short beside the others must still be seen.
        const shown = Math.max(end - start, 3);
        const begin = Math.min(start, width - right - shown);
        return <rect class={kind} x={round(begin)} y={y + 20} width={round(shown)} height={16} rx={2} />;
      })}
    </g>
  );
}

/** The beginning of the kid is enough to tell keys apart. The list has all of it. */
function labelOf({ kid, state }: SigningKey): string {
  const text = plainText(kid);
  return `${state} ${text.length > 16 ? `${text.slice(0, 12)}…` : text}`;
}

/** What the key set says of a key over time. */
function spansOf(
  key: SigningKey,
  keys: readonly SigningKey[],
  nextRotation: number | undefined,
): readonly Span[] {
  const since = Date.parse(key.since);
  if (key.state === 'next') {
    return [{ kind: 'waits', from: since, until: nextRotation }];
  }
  if (key.state === 'current') {
    // Until then the key before signs.
    const published = keys.some(({ state, signs }) => state === 'retired' && signs);
    return [
      ...(published ? [{ kind: 'waits', from: undefined, until: since } as const] : []),
      { kind: 'signs', from: since, until: nextRotation },
    ];
  }
  const until = key.until === undefined ? undefined : Date.parse(key.until);
  return [
    { kind: 'signs', from: undefined, until: since },
    { kind: 'verifies', from: since, until },
  ];
}

/** The time to show: around the last rotation while old keys are published, and else since then. */
function windowOf(
  keys: readonly SigningKey[],
  now: number,
  nextRotation: number | undefined,
): readonly [from: number, until: number] {
  const retired = keys.filter(({ state }) => state === 'retired');
  const times = (retired.length > 0 ? retired : keys).flatMap(({ since, until }) => [
    Date.parse(since),
    ...(until === undefined ? [] : [Date.parse(until)]),
  ]);
  const known = [
    ...times,
    now,
    ...(retired.length === 0 && nextRotation !== undefined ? [nextRotation] : []),
  ];
  const [first, last] = [Math.min(...known), Math.max(...known)];
  const margin = Math.max((last - first) * 0.08, 60_000);
  return [first - margin, last + margin];
}

function describe({ kid, state, signs, since, until }: SigningKey): string {
  const end = until === undefined ? '' : ` until ${until}`;
  return `${plainText(kid)} is ${state}${signs ? ' and signs' : ''}, since ${since}${end}`;
}
