import React from 'react';
import { useState } from 'react';

export const A = () => <div>a</div>;

export const B = () => {
  const [x] = useState(1);
  return <b>{x}</b>;
};
