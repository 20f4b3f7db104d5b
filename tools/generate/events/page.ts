import * as v from 'valibot';
import { eventDetails } from '../../../contract/upload-event-schemas.ts';
import { type EventKind, eventMeanings, eventTypes } from '../../../contract/upload-events.ts';
import { exampleEvent } from './example.ts';
import { jsonSchemaOf, kinds } from './schemas.ts';

/** Returns the tables of docs/events.md: the cause of each event, and each of its members. */
export function eventTables(): string {
  return [...whenTable(), '', ...memberTable()].join('\n');
}

/** Returns the example of docs/events.md. */
export function eventExample(): string {
  // An example that violates the schema would be worse than none.
  v.parse(eventDetails.completed, exampleEvent.detail);
  return ['```json', JSON.stringify(exampleEvent, null, 2), '```'].join('\n');
}

function whenTable(): readonly string[] {
  const rows = kinds.map((kind) => `| \`${eventTypes[kind]}\` | ${eventMeanings[kind]} |`);
  return ['| `detail-type` | Is sent when |', '|---|---|', ...rows];
}

interface Member {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly optional: boolean;
  readonly kinds: readonly EventKind[];
}

function memberTable(): readonly string[] {
  const members = new Map<string, Member>();
  for (const kind of kinds) {
    const { detail } = jsonSchemaOf(kind).properties;
    for (const member of flat(detail as unknown as JsonMember)) {
      const known = members.get(member.name);
      members.set(member.name, { ...member, kinds: [...(known?.kinds ?? []), kind] });
    }
  }
  return [
    '| Member of `detail` | Type | In | Meaning |',
    '|---|---|---|---|',
    ...[...members.values()].map(
      ({ name, type, description, optional, kinds: own }) =>
        `| \`${name}\` | ${type} | ${placeOf(own)}${optional ? ', if known' : ''} | ${description} |`,
    ),
  ];
}

function placeOf(own: readonly EventKind[]): string {
  return own.length === kinds.length ? 'all' : own.join(', ');
}

interface JsonMember {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonMember>>;
  readonly required?: readonly string[];
}

function flat({ properties = {}, required = [] }: JsonMember, prefix = ''): readonly Omit<Member, 'kinds'>[] {
  return Object.entries(properties).flatMap(([key, member]) => {
    const name = prefix + key;
    const type = member.format === 'date-time' ? 'time' : (member.type ?? '');
    const own = { name, type, description: member.description ?? '', optional: !required.includes(key) };
    return [own, ...flat(member, `${name}.`)];
  });
}
