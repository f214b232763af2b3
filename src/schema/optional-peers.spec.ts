import { jest } from '@jest/globals';
import 'reflect-metadata';
import { Body, Controller, Post } from '@nestjs/common';
import { describeInput } from './describe-input.js';
import { loadOptionalPeers } from './optional-peers.js';

describe('the optional peers', () => {
  beforeEach(() => {
    jest.resetModules();
  });

  it('are read where they are installed', async () => {
    const { validators, transformers } = await loadOptionalPeers();
    expect(validators?.getTargetValidationMetadatas(class {}, '', false, false)).toEqual([]);
    expect(transformers?.getStrategy(class {})).toBe('none');
  });

  it('are undefined where they are not', async () => {
    jest.unstable_mockModule('class-validator', () => {
      const error = new Error("Cannot find package 'class-validator' imported from /app");
      throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
    });
    const { validators, transformers } = await loadOptionalPeers();
    expect(validators).toBeUndefined();
    expect(transformers).toBeDefined();
  });

  it('may fail to load, which is no missing package', async () => {
    jest.unstable_mockModule('class-validator', () => {
      const error = new Error(
        "Cannot find package 'validator' imported from /app/node_modules/class-validator/index.js",
      );
      throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
    });
    await expect(loadOptionalPeers()).rejects.toThrow("Cannot find package 'validator'");
  });

  it('are not needed to describe a route', () => {
    class Thing {
      name!: string;
    }
    @Controller()
    class Things {
      @Post() handle(@Body() body: Thing) {
        return body;
      }
    }
    const handler = Reflect.get(Things.prototype, 'handle');
    const route = {
      controller: Things,
      methodName: 'handle',
      handler,
      httpMethod: 'POST',
      path: '/',
      versions: [],
      hosts: [],
    };
    const { input } = describeInput(route, { layout: 'grouped', pipes: [], optional: {} });
    expect(input.schema.properties?.body).toEqual({ type: 'object', properties: {} });
  });
});
