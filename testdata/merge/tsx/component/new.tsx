import React, { useState } from 'react';

export const B = () => {
  const [x] = useState(1);
  return <b>{x}</b>;
};
