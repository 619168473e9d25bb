interface I {
    void b();
}

record R(int x) {
    int y() {
        return x;
    }
}
