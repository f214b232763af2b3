import type { Type } from '@nestjs/common';
import { assignControllers, type Candidate, type Registration } from './assign-controllers.js';
import type { ControllerMethod } from './route.js';

const method = (): ControllerMethod => () => undefined;
const find = method();

function candidate(
  name: string,
  suffixes: readonly string[],
  rest: Partial<Candidate> = {},
): Candidate {
  const controller = { [name]: class {} }[name] as Type;
  return { controller, methodName: 'find', method: find, suffixes, prefixes: undefined, ...rest };
}

const get = (path: string, of: ControllerMethod = find): Registration => ({
  httpMethod: 'GET',
  path,
  method: of,
});

/** `GET /path Class` of each that was assigned, in order. */
function assigned(
  registrations: readonly Registration[],
  candidates: readonly Candidate[],
): string[] {
  return assignControllers(registrations, candidates).map(
    ({ registration, candidate: { controller } }) =>
      `${registration.httpMethod} ${registration.path} ${controller.name}`,
  );
}

describe('assigning controllers to registered routes', () => {
  it('a method of one controller is its, whatever stands before the path', () => {
    expect(
      assigned([get('/api/v1/shop/orders/:id')], [candidate('Orders', ['/orders/:id'])]),
    ).toEqual(['GET /api/v1/shop/orders/:id Orders']);
  });

  it('a handler that is no controller method is left out', () => {
    expect(assigned([get('/a', method())], [candidate('A', ['/a'])])).toEqual([]);
  });

  it('an inherited method belongs to the controller whose path it has', () => {
    expect(
      assigned(
        [get('/api/cats/:id'), get('/api/dogs/:id')],
        [candidate('Dogs', ['/dogs/:id']), candidate('Cats', ['/cats/:id'])],
      ),
    ).toEqual(['GET /api/cats/:id Cats', 'GET /api/dogs/:id Dogs']);
  });

  it('the longest fitting path counts', () => {
    const candidates = [candidate('Ids', ['/:id']), candidate('Cats', ['/cats/:id'])];
    expect(assigned([get('/cats/:id'), get('/:id')], candidates)).toEqual([
      'GET /cats/:id Cats',
      'GET /:id Ids',
    ]);
  });

  it('a path that only ends with the letters of another is not that one', () => {
    const candidates = [candidate('Cats', ['/cats']), candidate('Wildcats', ['/wildcats'])];
    expect(assigned([get('/wildcats'), get('/cats')], candidates)).toEqual([
      'GET /wildcats Wildcats',
      'GET /cats Cats',
    ]);
  });

  it('the root path fits whatever no other does', () => {
    const candidates = [candidate('Root', ['/']), candidate('Cats', ['/cats'])];
    expect(assigned([get('/api'), get('/api/cats')], candidates)).toEqual([
      'GET /api Root',
      'GET /api/cats Cats',
    ]);
  });

  it('path arrays make several routes of one controller', () => {
    const candidates = [
      candidate('Cats', ['/cats/one', '/cats/single']),
      candidate('Dogs', ['/dogs/one', '/dogs/single']),
    ];
    expect(
      assigned(
        [get('/dogs/one'), get('/dogs/single'), get('/cats/one'), get('/cats/single')],
        candidates,
      ),
    ).toEqual([
      'GET /dogs/one Dogs',
      'GET /dogs/single Dogs',
      'GET /cats/one Cats',
      'GET /cats/single Cats',
    ]);
  });

  it('URI versions tell apart what has one path', () => {
    const candidates = [
      candidate('CatsV1', ['/cats'], { prefixes: ['/v1/', '/api/v1/'] }),
      candidate('CatsV2', ['/cats'], { prefixes: ['/v2/', '/api/v2/', '/v3/', '/api/v3/'] }),
      candidate('CatsNeutral', ['/cats']),
    ];
    expect(
      assigned(
        [get('/api/v2/cats'), get('/api/v1/cats'), get('/api/v3/cats')],
        candidates.slice(0, 2),
      ),
    ).toEqual(['GET /api/v2/cats CatsV2', 'GET /api/v1/cats CatsV1', 'GET /api/v3/cats CatsV2']);
    expect(assigned([get('/api/cats')], candidates)).toEqual(['GET /api/cats CatsNeutral']);
  });

  it('version 1 is not version 10', () => {
    const candidates = [
      candidate('CatsV1', ['/cats'], { prefixes: ['/v1/', '/api/v1/'] }),
      candidate('CatsV10', ['/cats'], { prefixes: ['/v10/'] }),
    ];
    expect(assigned([get('/v10/cats'), get('/v1/cats')], candidates)).toEqual([
      'GET /v10/cats CatsV10',
      'GET /v1/cats CatsV1',
    ]);
  });

  it('a neutral version stands beside a versioned one', () => {
    const candidates = [
      candidate('CatsNeutral', ['/cats']),
      candidate('CatsV1', ['/cats'], { prefixes: ['/v1/', '/api/v1/'] }),
    ];
    expect(assigned([get('/cats'), get('/v1/cats')], candidates)).toEqual([
      'GET /cats CatsNeutral',
      'GET /v1/cats CatsV1',
    ]);
  });

  it('a version is the segment after the global prefix, not any segment', () => {
    const candidates = [
      candidate('CatsV1', ['/cats'], { prefixes: ['/v1/', '/v2/v1/'] }),
      candidate('CatsV2', ['/cats'], { prefixes: ['/v2/', '/v2/v2/'] }),
    ];
    expect(
      assigned([get('/v2/v1/cats'), get('/v2/v2/cats'), get('/v1/v2/cats')], candidates),
    ).toEqual(['GET /v2/v1/cats CatsV1', 'GET /v2/v2/cats CatsV2', 'GET /v1/v2/cats CatsV1']);
  });

  it('a controller that is neutral and versioned has both routes', () => {
    const candidates = [
      candidate('Cats', ['/cats'], { prefixes: ['/', '/v1/'] }),
      candidate('CatsV2', ['/cats'], { prefixes: ['/v2/'] }),
    ];
    expect(assigned([get('/cats'), get('/v1/cats'), get('/v2/cats')], candidates)).toEqual([
      'GET /cats Cats',
      'GET /v1/cats Cats',
      'GET /v2/cats CatsV2',
    ]);
  });

  it('where even the paths are equal, the order of registration tells', () => {
    const candidates = [candidate('One', ['/cats']), candidate('Two', ['/cats'])];
    expect(assigned([get('/cats'), get('/cats')], candidates)).toEqual([
      'GET /cats One',
      'GET /cats Two',
    ]);
  });

  it('a controller that two modules list is registered twice and counts once', () => {
    const orders = candidate('Orders', ['/orders']);
    expect(assigned([get('/orders'), get('/orders')], [orders, { ...orders }])).toEqual([
      'GET /orders Orders',
    ]);
  });

  it('one path under two HTTP methods is two routes', () => {
    expect(
      assigned(
        [get('/cats'), { ...get('/cats'), httpMethod: 'POST' }],
        [candidate('Cats', ['/cats'])],
      ),
    ).toEqual(['GET /cats Cats', 'POST /cats Cats']);
  });
});
