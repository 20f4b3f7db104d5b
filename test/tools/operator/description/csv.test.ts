import { clients } from '../../../../tools/operator/clients/fields.ts';
import { csvRecords } from '../../../../tools/operator/description/csv.ts';
import { defineEntity, type Entity } from '../../../../tools/operator/description/entity.ts';
import { type Field, id, opaque, text, time } from '../../../../tools/operator/description/field.ts';
import { files } from '../../../../tools/operator/files/fields.ts';
import { uploads } from '../../../../tools/operator/uploads/fields.ts';

/** Writes the CSV cell of a value in the given field. */
function cellOf(value: string, field: Field<{ readonly value: string }>): string {
  const entity = defineEntity<{ readonly value: string }>()({
    noun: 'file',
    fields: { value: field },
    listed: [],
    csv: ['value'],
  });
  return csvRecords(entity, [{ value }]).slice(0, -'\r\n'.length);
}

test.for([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  [' =1', "' =1"],
  ['＝1', "'＝1"],
  ['|cmd', "'|cmd"],
  ['a=1', 'a=1'],
  ['a;=1', "a;'=1"],
  ['a; @b', "a;' @b"],
  ['a;"=1+1', `"a;'""=1+1"`],
  ['a; "b"', '"a; ""b"""'],
  ['a,b;-1', `"a,b;'-1"`],
  ['\t=1', '\u{fffd}=1'],
  ['a "b", c', '"a ""b"", c"'],
  ['a\r\nb', 'a\u{fffd}\u{fffd}b'],
])('the text %j is the cell %j: no spreadsheet runs it', ([value = '', cell]) => {
  expect(cellOf(value, text('Name'))).toBe(cell);
});

test.for([id('Id'), time('Time')])('a formula in a field of the kind $kind is disarmed', (field) => {
  expect(cellOf('-1', field)).toBe("'-1");
});

test('values of AWS or the service are unchanged', () => {
  expect(cellOf('-ETag', opaque('ETag'))).toBe('-ETag');
});

test('only AWS or the service chooses cells that CSV does not disarm', () => {
  const opaqueIn = ({ csv = [], fields }: Pick<Entity<never>, 'csv' | 'fields'>) =>
    csv.filter((name) => fields[name]?.kind === 'opaque' || fields[name]?.of === 'request');
  expect([clients, files, uploads].flatMap(opaqueIn).toSorted()).toEqual([
    'checksum_crc64nvme',
    'content_checksum_crc64nvme',
    'content_etag',
    'content_key',
    'content_version_id',
    'created_by',
    'created_by',
    'etag',
    'key',
    'request_id',
    'requested_from',
    'updated_by',
    'updated_by',
    'updated_by',
    'uploaded_from',
    'version_id',
  ]);
});
