package a

type R interface {
	Close() error
}
