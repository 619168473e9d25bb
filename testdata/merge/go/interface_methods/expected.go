package a

type R interface {
	Read() error
	Close() error
}
